#include "base/incident.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace muster {

std::string_view name(IncidentKind kind) {
  static constexpr std::array<std::string_view, 18> names{
      "requirement",    "exception",        "crash",        "abort",         "deadlock", "livelock", "race",
      "use-after-free", "double-free",      "invalid-free", "out-of-bounds", "leak",     "misuse",   "hang",
      "unsupported",    "not-reproducible", "limit",        "possible-race"};
  static_assert(static_cast<unsigned>(IncidentKind::possible_race) + 1 == names.size());
  return names[static_cast<unsigned>(kind)];
}

void Incident::say(std::string_view text) {
  const std::size_t length = std::min(text.size(), sizeof message - 1);
  std::memcpy(message, text.data(), length);
  message[length] = 0;
}

}  // namespace muster
