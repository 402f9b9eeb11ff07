#include "command/duration.hpp"

#include "base/error.hpp"

namespace muster {

double parse_seconds(const std::string& text) {
  const auto no_duration = [&] { fail("'{}' is no duration: write 60s, 5m or 2h", text); };
  std::size_t end = 0;
  double value = 0;
  try {
    value = std::stod(text, &end);
  } catch (const std::exception&) {
    no_duration();
  }
  if (!(value > 0)) no_duration();
  const std::string unit = text.substr(end);
  if (unit == "ms") return value / 1000;
  if (unit.empty() || unit == "s") return value;
  if (unit == "m" || unit == "min") return value * 60;
  if (unit == "h") return value * 3600;
  no_duration();
  return 0;
}

}  // namespace muster
