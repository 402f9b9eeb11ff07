#include "base/plan.hpp"

#include <charconv>

#include "base/error.hpp"

namespace muster {

namespace {

std::string with_location(std::string text, const std::string& location) {
  return location.empty() ? text : text + " " + location;
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string text;
  if (!plan.about.empty()) text += fmt::format("# {}\n", plan.about);
  for (const PlanFork& fork : plan.forks) text += fmt::format("@fork {} {} {}\n", fork.child, fork.parent, fork.event);
  for (const PlanAccess& access : plan.accesses) {
    const char* const kind = access.write ? "write" : "read";
    text +=
        with_location(fmt::format("@access {} {} {}", access.thread, access.event, kind), access.location) + "\n";
  }
  for (const PlanTurn& turn : plan.turns)
    text += with_location(fmt::format("{} {}", turn.thread, turn.events), turn.location) + "\n";
  return text;
}

namespace {

/// A line of a plan, word by word.
class Line {
 public:
  Line(std::string_view text, std::string_view file, std::size_t number) : rest_(text), file_(file), number_(number) {}

  [[noreturn]] void wrong(std::string_view expected) const { fail("{}:{}: expected {}", file_, number_, expected); }

  std::string word(std::string_view expected) {
    const std::size_t space = rest_.find(' ');
    const std::string found(rest_.substr(0, space));
    if (found.empty()) wrong(expected);
    rest_.remove_prefix(space == std::string_view::npos ? rest_.size() : space + 1);
    return found;
  }
  std::uint64_t number(std::string_view expected) {
    const std::string text = word(expected);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) wrong(expected);
    return value;
  }
  std::string rest() const { return std::string(rest_); }

 private:
  std::string_view rest_, file_;
  std::size_t number_;
};

constexpr std::string_view fork_form = "`@fork child parent event`, for example `@fork T1 T0 3`";
constexpr std::string_view access_form = "`@access thread event read|write location`";
constexpr std::string_view turn_form = "`thread events location`, for example `T1 42 bank.cpp:31`";

PlanFork parse_fork(Line line) {
  PlanFork fork;
  fork.child = line.word(fork_form);
  fork.parent = line.word(fork_form);
  fork.event = line.number(fork_form);
  return fork;
}

PlanAccess parse_access(Line line) {
  PlanAccess access;
  access.thread = line.word(access_form);
  access.event = line.number(access_form);
  const std::string kind = line.word(access_form);
  if (kind != "read" && kind != "write") line.wrong(access_form);
  access.write = kind == "write";
  access.location = line.rest();
  return access;
}

PlanTurn parse_turn(Line line) {
  PlanTurn turn;
  turn.thread = line.word(turn_form);
  turn.events = line.number(turn_form);
  turn.location = line.rest();
  return turn;
}

}  // namespace

Plan parse_plan(std::string_view text, std::string_view name) {
  constexpr std::string_view fork = "@fork ", access = "@access ";
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
    } else if (line.starts_with(fork)) {
      plan.forks.push_back(parse_fork({line.substr(fork.size()), name, number}));
    } else if (line.starts_with(access)) {
      plan.accesses.push_back(parse_access({line.substr(access.size()), name, number}));
    } else {
      plan.turns.push_back(parse_turn({line, name, number}));
    }
  }
  return plan;
}

}  // namespace muster
