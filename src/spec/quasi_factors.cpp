#include "spec/quasi_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "spec/relaxed.hpp"

namespace muster {
namespace {

constexpr MethodIndex removal = 1;  // of every object that can be relaxed

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The parts between separators, without blanks around them.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(trimmed(text.substr(0, at)));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

unsigned parse_number(std::string_view text, std::string_view whole) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > 1'000'000)
    fail("quasi factors `{}`: `{}` is no factor; write a number such as 2, or METHOD=2", whole, text);
  return number;
}

MethodIndex parse_method(std::string_view name, std::string_view whole, const Spec& spec) {
  const int found = find_method(spec, name);
  if (found >= 0) return static_cast<MethodIndex>(found);
  std::string known;
  for (const Method& method : spec.methods()) known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
  fail("quasi factors `{}`: {} has no operation `{}`; it has {}", whole, spec.name(), name, known);
}

}  // namespace

unsigned QuasiFactors::of(MethodIndex method) const {
  for (const Class& each : classes) {
    if (std::ranges::find(each.methods, method) != each.methods.end()) return each.factor;
  }
  return 0;
}

unsigned QuasiFactors::largest() const {
  unsigned most = 0;
  for (const Class& each : classes) most = std::max(most, each.factor);
  return most;
}

QuasiFactors QuasiFactors::with(unsigned factor) const {
  QuasiFactors changed = *this;
  const bool all = largest() == 0;
  for (Class& each : changed.classes) {
    if (all || each.factor > 0) each.factor = factor;
  }
  return changed;
}

QuasiFactors parse_factors(std::string_view text, const Spec& spec) {
  QuasiFactors factors;
  if (text.find('=') == std::string_view::npos) {
    const unsigned factor = parse_number(trimmed(text), text);
    if (can_relax(spec)) {
      factors.classes.push_back({{removal}, factor});
    } else {
      for (std::size_t method = 0; method < spec.methods().size(); ++method)
        factors.classes.push_back({{static_cast<MethodIndex>(method)}, factor});
    }
    return factors;
  }
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      fail("quasi factors `{}`: `{}` is not of the form METHOD=NUMBER, as in dequeue=2", text, part);
    QuasiFactors::Class made{{}, parse_number(trimmed(part.substr(equals + 1)), text)};
    for (const std::string_view name : split(part.substr(0, equals), '+')) {
      const MethodIndex method = parse_method(name, text, spec);
      for (const auto& other : factors.classes) {
        if (std::ranges::find(other.methods, method) != other.methods.end())
          fail("quasi factors `{}`: {} is given a factor twice", text, name);
      }
      made.methods.push_back(method);
    }
    factors.classes.push_back(std::move(made));
  }
  return factors;
}

std::string to_string(const QuasiFactors& factors, const Spec& spec) {
  std::string out;
  for (const auto& each : factors.classes) {
    std::string names;
    for (const MethodIndex method : each.methods)
      names += fmt::format("{}{}", names.empty() ? "" : "+", spec.methods()[method].name);
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", names, each.factor);
  }
  return out;
}

bool relaxes_removals_only(const QuasiFactors& factors, const Spec& spec) {
  if (!can_relax(spec)) return false;
  const bool all_count = factors.largest() == 0;
  return std::ranges::all_of(factors.classes, [&](const QuasiFactors::Class& each) {
    return (each.factor == 0 && !all_count) || (each.methods.size() == 1 && each.methods[0] == removal);
  });
}

}  // namespace muster
