#include "command/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "command/suggest.hpp"

namespace muster {
namespace {

template <class Number>
bool parse_whole(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    if (parse_whole(text, number) && low <= number && number <= high) return {};
    return fmt::format("takes a whole number from {} to {}, not '{}'", low, high, text);
  };
  return {check, ""};
}

CLI::Validator some_seconds() {
  const auto check = [](const std::string& text) -> std::string {
    double seconds = 0;
    if (parse_whole(text, seconds) && std::isfinite(seconds) && seconds > 0) return {};
    return fmt::format("takes a number of seconds above 0, not '{}'", text);
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string shown = fmt::format("{{{}}}", fmt::join(words, ","));
  const auto check = [words = std::move(words)](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return {};
    return fmt::format("takes {}, not '{}'{}", fmt::join(words, ", "), text, did_you_mean(text, words));
  };
  return {check, shown};
}

}  // namespace muster
