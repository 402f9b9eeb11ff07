#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "rule/failure_words.hpp"
#include "rule/history_judge.hpp"

namespace muster {
namespace {

constexpr std::uint64_t most_compared_orders = 10'000;  // where no operation is to blame

/// How near a serial history comes to what was seen.
unsigned equal_answers(const SerialHistory& serial, const Recorded& history, const Responses& responses) {
  unsigned equal = 0;
  for (const std::uint8_t operation : serial.order)
    equal += responses.fits(history.response[operation], serial.response[operation]);
  return equal;
}

/// The serial histories with most of the answers seen, the nearest first.
class Nearest {
 public:
  Nearest(const Recorded& history, const Responses& responses) : history_(history), responses_(responses) {}

  void add(const SerialHistory& serial) {
    const unsigned equal = equal_answers(serial, history_, responses_);
    const auto place = std::find_if(kept.begin(), kept.end(), [&](const auto& other) { return other.first < equal; });
    if (place == kept.end() && kept.size() == shown_orders) return;
    kept.emplace(place, equal, serial);
    if (kept.size() > shown_orders) kept.pop_back();
  }

  std::vector<std::pair<unsigned, SerialHistory>> kept;

 private:
  const Recorded& history_;
  const Responses& responses_;
};

}  // namespace

SerialRun to_run(const SerialHistory& serial, const Responses& responses) {
  SerialRun run{serial.order, {}};
  for (const std::uint8_t operation : serial.order) {
    const ResponseId answer = serial.response[operation];
    run.answers.push_back(answer == pending ? "#" : responses.text(answer));
  }
  return run;
}

Ruling SerialJudge::judge(const Recorded& history) {
  if (!history.stuck) {
    if (spec_.explains(history)) return {};
    return {.objection = blame_answer(names_.named(history))};
  }
  if (classic_) {
    if (spec_.explains_classic(history)) return {};
    return {.objection = blame_answer(names_.named(history))};
  }
  for (std::uint64_t mask = history.waiting(); mask; mask &= mask - 1) {
    const auto operation = static_cast<unsigned>(std::countr_zero(mask));
    if (spec_.explains_stuck(history, operation)) continue;
    Objection objection;
    objection.kind = FindingKind::stuck;
    objection.blamed = static_cast<int>(operation);
    const Recorded named = names_.named(history);
    tell_serial_orders(objection, named);
    objection.note = explain_stuck(named, operation);
    return {.objection = std::move(objection)};
  }
  return {};
}

/// The operation that answered what it answers in no serial order that keeps the real-time order; the last such one.
Objection SerialJudge::blame_answer(const Recorded& history) const {
  Objection objection;
  std::uint64_t possible = 0;  // operations that gave an answer some such order has
  const bool all_told = spec_.each_order(history, [&](const SerialHistory& serial) {
    for (std::uint64_t mask = serial.stuck ? 0 : history.returned; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      if (responses_.fits(history.response[i], serial.response[i])) possible |= std::uint64_t{1} << i;
    }
    return true;
  });
  for (unsigned i = history.mark_count; i-- > 0 && all_told;) {
    const unsigned operation = history.marks[i].operation;
    if (!history.marks[i].is_return || (possible >> operation & 1)) continue;
    objection.blamed = static_cast<int>(operation);
    break;
  }
  tell_serial_orders(objection, history);
  return objection;
}

void SerialJudge::tell_serial_orders(Objection& objection, const Recorded& history) const {
  std::set<std::string> answers;
  Nearest nearest(history, responses_);
  std::uint64_t seen = 0;
  spec_.each_order(history, [&](const SerialHistory& serial) {
    nearest.add(serial);
    if (objection.blamed < 0) return ++seen < most_compared_orders;
    const ResponseId answer = serial.response[static_cast<unsigned>(objection.blamed)];
    if (answer > pending) answers.insert(responses_.text(answer));
    return true;
  });
  objection.possible.assign(answers.begin(), answers.end());
  for (const auto& [equal, serial] : nearest.kept) {
    objection.serial_orders.push_back(describe(check_, test_, responses_, serial));
    objection.serial_runs.push_back(to_run(serial, responses_));
  }
}

/// Of an operation that serial orders can leave stuck, too, only not with the answers seen: empty for any other.
std::string SerialJudge::explain_stuck(const Recorded& history, unsigned blamed) const {
  std::uint64_t fitting = 0;  // operations that answered as in some serial order that leaves it stuck
  std::map<unsigned, std::set<std::string>> instead;
  bool is_stuck = false;
  const bool all_told = spec_.each_order(history, [&](const SerialHistory& serial) {
    const bool has_it = std::ranges::find(serial.order, blamed) != serial.order.end();
    if (!has_it || serial.response[blamed] != pending) return true;
    is_stuck = true;
    for (std::uint64_t mask = history.returned; mask; mask &= mask - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(mask));
      if (responses_.fits(history.response[i], serial.response[i])) fitting |= bit_of(i);
      if (serial.response[i] > pending) instead[i].insert(responses_.text(serial.response[i]));
    }
    return true;
  });
  if (!is_stuck || !all_told) return "";
  const auto operations = operations_of(test_);
  const std::string who = whose(check_, operations, static_cast<int>(blamed));
  for (std::uint64_t mask = history.returned & ~fitting; mask; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    const std::string other = whose(check_, operations, static_cast<int>(i));
    const std::string answer = answered(responses_.text(history.response[i]));
    std::vector<std::string> answers;
    for (const std::string& text : instead[i]) answers.push_back(muster::answers(text));
    return fmt::format("{} never returns although {} {}: serial orders leave it stuck only where {}.", who, other,
                       answer,
                       answers.empty() ? "that does not return" : fmt::format("that {}", fmt::join(answers, " or ")));
  }
  return fmt::format("{} never returns: serial orders that leave it stuck give the others other answers.", who);
}

Objection objection_to(FindingKind nondeterminism, const CheckDefinition& check, const Test& test,
                       const Responses& responses, const SerialHistory& serial, const SerialHistory& other) {
  Objection objection{.kind = nondeterminism,
                      .serial_orders = {describe(check, test, responses, serial)},
                      .note = describe(check, test, responses, other)};
  for (const std::uint8_t operation : serial.order) {
    const ResponseId answer = other.response[operation];
    if (serial.response[operation] == answer) continue;
    objection.blamed = operation;
    objection.possible = {answer == pending ? "#" : responses.text(answer)};
    break;
  }
  return objection;
}

Failure failure_of(Objection objection, const Test& test, const Responses& responses, const Recorded& history) {
  Failure made(std::move(objection));
  made.test = test;
  for (unsigned i = 0; i < history.mark_count; ++i)
    made.marks.push_back({history.marks[i].operation, history.marks[i].is_return});
  made.answers.resize(test.size());
  for (unsigned i = 0; i < test.size(); ++i) {
    if (history.returned >> i & 1) made.answers[i] = responses.text(history.response[i]);
  }
  return made;
}

std::string describe(const CheckDefinition& check, const Test& test, const Responses& responses,
                     const SerialHistory& history) {
  const auto operations = operations_of(test);
  std::string text;
  for (const std::uint8_t i : history.order) {
    if (!text.empty()) text += " ";
    text += name_of(check, operations, i);
    if (history.response[i] == pending)
      text += " #";
    else if (const std::string& answer = responses.text(history.response[i]); !answer.empty())
      text += "→" + answer;
  }
  return text;
}

}  // namespace muster
