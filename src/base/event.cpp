#include "base/event.hpp"

#include <array>

namespace muster {

std::string_view name(EventKind kind) {
  static constexpr std::array<std::string_view, 36> names{
      "start",         "finish",   "spawn",      "join",        "load",
      "store",         "rmw",      "fence",      "read",        "write",
      "lock",          "try_lock", "unlock",     "lock_shared", "try_lock_shared",
      "unlock_shared", "wait",     "timed_wait", "notify_one",  "notify_all",
      "wake",          "expire",   "futex_wait", "futex_wake",  "acquire",
      "release",       "arrive",   "once",       "yield",       "sleep",
      "clock",         "choose",   "call",       "return",      "allocate",
      "free"};
  static_assert(static_cast<unsigned>(EventKind::free_block) + 1 == names.size());
  return names[static_cast<unsigned>(kind)];
}

}  // namespace muster
