#include "base/plan.hpp"

#include <charconv>

#include "base/error.hpp"

namespace muster {

namespace {

std::string at(const std::string& location, std::uint32_t nth = 1) {
  if (location.empty()) return {};
  return nth == 1 ? " " + location : fmt::format(" {} #{}", location, nth);
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string text;
  if (!plan.about.empty()) text += fmt::format("# {}\n", plan.about);
  if (!plan.memory.empty()) text += fmt::format("@memory {}\n", plan.memory);
  if (plan.only) text += "@only\n";
  if (plan.whole_threads) text += "@whole-threads\n";
  for (const PlanFork& fork : plan.forks)
    text += fmt::format("@fork {} {} {}{}\n", fork.child, fork.parent, fork.event, at(fork.location));
  for (const PlanAccess& access : plan.accesses)
    text += fmt::format("@access {} {} {}{}\n", access.thread, access.event, access.write ? "write" : "read",
                        at(access.location, access.nth));
  for (const PlanWait& wait : plan.waits)
    text += fmt::format("@wait {} {}{}\n", wait.thread, wait.event, at(wait.location, wait.nth));
  for (const PlanTurn& turn : plan.turns)
    text += fmt::format("{} {}{}\n", turn.thread, turn.events, at(turn.location, turn.nth));
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
  /// The rest is a place, and perhaps the how-manieth event there.
  void place(std::string& location, std::uint32_t& nth) {
    const std::size_t mark = rest_.rfind(" #");
    if (mark != std::string_view::npos) {
      const std::string_view digits = rest_.substr(mark + 2);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), nth);
      if (error == std::errc{} && end == digits.data() + digits.size())
        rest_ = rest_.substr(0, mark);
      else
        nth = 1;
    }
    location = rest_;
  }

 private:
  std::string_view rest_, file_;
  std::size_t number_;
};

constexpr std::string_view fork_form = "`@fork child parent event`, for example `@fork T1 T0 3`";
constexpr std::string_view access_form = "`@access thread event read|write location`";
constexpr std::string_view wait_form = "`@wait thread event location`";
constexpr std::string_view turn_form = "`thread events location`, for example `T1 42 bank.cpp:31`";

PlanFork parse_fork(Line line) {
  PlanFork fork;
  fork.child = line.word(fork_form);
  fork.parent = line.word(fork_form);
  fork.event = line.number(fork_form);
  fork.location = line.rest();
  return fork;
}

PlanAccess parse_access(Line line) {
  PlanAccess access;
  access.thread = line.word(access_form);
  access.event = line.number(access_form);
  const std::string kind = line.word(access_form);
  if (kind != "read" && kind != "write") line.wrong(access_form);
  access.write = kind == "write";
  line.place(access.location, access.nth);
  return access;
}

PlanWait parse_wait(Line line) {
  PlanWait wait;
  wait.thread = line.word(wait_form);
  wait.event = line.number(wait_form);
  line.place(wait.location, wait.nth);
  return wait;
}

PlanTurn parse_turn(Line line) {
  PlanTurn turn;
  turn.thread = line.word(turn_form);
  turn.events = line.number(turn_form);
  line.place(turn.location, turn.nth);
  return turn;
}

}  // namespace

Plan parse_plan(std::string_view text, std::string_view name) {
  constexpr std::string_view fork = "@fork ", access = "@access ", wait = "@wait ", memory = "@memory ";
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
    } else if (line.starts_with(wait)) {
      plan.waits.push_back(parse_wait({line.substr(wait.size()), name, number}));
    } else if (line.starts_with(memory)) {
      plan.memory = line.substr(memory.size());
    } else if (line == "@only") {
      plan.only = true;
    } else if (line == "@whole-threads") {
      plan.whole_threads = true;
    } else {
      plan.turns.push_back(parse_turn({line, name, number}));
    }
  }
  return plan;
}

}  // namespace muster
