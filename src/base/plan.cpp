#include "base/plan.hpp"

#include <charconv>

#include "base/error.hpp"

namespace muster {

std::string to_text(const Plan& plan) {
  std::string text;
  if (!plan.about.empty()) text += fmt::format("# {}\n", plan.about);
  for (const PlanTurn& turn : plan.turns)
    text += fmt::format("{} {}{}{}\n", turn.thread, turn.events, turn.location.empty() ? "" : " ", turn.location);
  return text;
}

namespace {

PlanTurn parse_turn(std::string_view line, std::string_view name, std::size_t number) {
  const std::size_t space = line.find(' ');
  if (space == 0 || space == std::string_view::npos)
    fail("{}:{}: expected `thread events location`, for example `T1 42 bank.cpp:31`", name, number);
  PlanTurn turn{.thread = std::string(line.substr(0, space)), .events = 0, .location = {}};
  const char* const digits = line.data() + space + 1;
  const char* const end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(digits, end, turn.events);
  if (error != std::errc{} || (rest != end && *rest != ' '))
    fail("{}:{}: expected a number of events after the thread `{}`", name, number, turn.thread);
  if (rest != end) turn.location = std::string(rest + 1, end);
  return turn;
}

}  // namespace

Plan parse_plan(std::string_view text, std::string_view name) {
  Plan plan;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      line.remove_prefix(line.starts_with("# ") ? 2 : 1);
      if (plan.turns.empty() && plan.about.empty()) plan.about = line;
      continue;
    }
    plan.turns.push_back(parse_turn(line, name, number));
  }
  return plan;
}

}  // namespace muster
