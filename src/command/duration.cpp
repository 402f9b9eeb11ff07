#include "command/duration.hpp"

#include <charconv>
#include <utility>

#include "base/error.hpp"

namespace muster {

std::int64_t parse_duration(std::string_view text, std::string_view flag) {
  constexpr std::pair<std::string_view, double> units[] = {{"ns", 1},   {"us", 1e3},   {"ms", 1e6},  {"s", 1e9},
                                                           {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error == std::errc() && unit.empty()) fail("{} {} has no unit: write {}s or {}ms", flag, text, text, text);
  for (const auto& [name, factor] : units) {
    if (error == std::errc() && number >= 0 && unit == name && number * factor < 9e18)
      return static_cast<std::int64_t>(number * factor);
  }
  fail("{} takes a time such as 500ms, 60s, 5m or 2h, not '{}'", flag, text);
}

double parse_seconds(std::string_view text, std::string_view flag) {
  const std::int64_t nanoseconds = parse_duration(text, flag);
  if (nanoseconds == 0) fail("{} takes a time above 0, not '{}'", flag, text);
  return static_cast<double>(nanoseconds) / 1e9;
}

}  // namespace muster
