#include "rule/observation_set.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "rule/class_search.hpp"

namespace muster {
namespace {

constexpr std::uint16_t excused_step = 0x100;

template <class Function>
void for_each(std::uint64_t mask, Function function) {
  for (; mask; mask &= mask - 1) function(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace

std::uint64_t overlapping(const Recorded& history) {
  std::uint64_t result = 0;
  for_each(history.called, [&](unsigned i) {
    for_each(history.called & ~bit_of(i), [&](unsigned j) {
      if (!(history.before[i] & bit_of(j)) && !(history.before[j] & bit_of(i))) result |= bit_of(i);
    });
  });
  return result;
}

ObservationSet::ObservationSet(const Test& test, const Responses& responses, std::uint64_t asynchronous,
                               HandleNames names)
    : size_(static_cast<unsigned>(test.size())),
      responses_(responses),
      asynchronous_(asynchronous),
      names_(std::move(names)),
      pairs_(size_ * size_, -1),
      excuses_(size_, absent) {
  const std::vector<TestOperation> operations = operations_of(test);
  int count = 0;
  for (unsigned a = 0; a < size_; ++a) {
    for (unsigned b = a + 1; b < size_; ++b) {
      if (operations[a].column >= 0 && operations[b].column >= 0 && operations[a].column != operations[b].column)
        pairs_[a * size_ + b] = count++;
    }
  }
  words_ = static_cast<unsigned>(count + 63) / 64;
}

std::uint32_t ObservationSet::node_after(std::uint32_t node, unsigned step) const {
  std::uint32_t next = nodes_[node].newest_after;
  while (next != 0 && nodes_[next].step != step) next = nodes_[next].sibling;
  return next;
}

std::optional<SerialHistory> ObservationSet::add(SerialHistory history) {
  std::uint32_t node = 0;
  bool fresh = false;
  for (const std::uint8_t operation : history.order) {
    const bool excused = history.excused & bit_of(operation);
    const auto step = static_cast<std::uint16_t>(operation | (excused ? excused_step : 0));
    std::uint32_t next = node_after(node, step);
    if (excused) excuses_[operation] = history.response[operation];
    has_excuses_ |= excused;
    if (next == 0) {
      fresh = true;
      next = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({.step = step,
                        .response = history.response[operation],
                        .history = static_cast<std::uint32_t>(histories_.size()),
                        .sibling = std::exchange(nodes_[node].newest_after, next)});
    } else if (nodes_[next].response != history.response[operation]) {
      return histories_[nodes_[next].history];
    }
    node = next;
  }
  if (!fresh && !(history.order.empty() && histories_.empty())) return std::nullopt;

  std::vector<ResponseId> answers = history.response;
  for (const std::uint8_t operation : history.order)
    answers[operation] = names_.by_place(operation, answers[operation]);
  Group& group = groups_[std::move(answers)];
  const std::size_t at = group.orders.size();
  group.orders.resize(at + words_, 0);
  std::uint64_t placed = 0;
  for (const std::uint8_t operation : history.order) {
    for_each(placed, [&](unsigned earlier) {
      if (const int p = earlier < operation ? pair(earlier, operation) : -1; p >= 0)
        group.orders[at + static_cast<unsigned>(p) / 64] |= bit_of(static_cast<unsigned>(p) % 64);
    });
    placed |= bit_of(operation);
  }
  group.histories.push_back(static_cast<std::uint32_t>(histories_.size()));
  if (names_.some()) held_.push_back(names_.held_in(history));
  stuck_ += history.stuck;
  histories_.push_back(std::move(history));
  return std::nullopt;
}

/// The real-time order of `history` among some operations, as bits that must be set and bits that must not.
ObservationSet::Constraints ObservationSet::constraints(const Recorded& history, std::uint64_t among) const {
  Constraints result;
  for (unsigned w = 0; w < words_; ++w) result.set[w] = result.clear[w] = 0;
  result.handles = &history.handles;
  for_each(history.called & among, [&](unsigned later) {
    for_each(history.before[later] & among & ~asynchronous_, [&](unsigned earlier) {
      const int p = earlier < later ? pair(earlier, later) : pair(later, earlier);
      if (p < 0) return;
      auto& side = earlier < later ? result.set : result.clear;
      side[static_cast<unsigned>(p) / 64] |= bit_of(static_cast<unsigned>(p) % 64);
    });
  });
  return result;
}

bool ObservationSet::find(std::vector<ResponseId> answers, const Constraints& constraints,
                          const Recorded& history) const {
  if (!has_excuses_) return find_exactly(answers, constraints);
  // Where something interfered, an operation may have answered as declared, without running; else it has no excuse.
  std::uint64_t excusable = 0;
  for_each(overlapping(history), [&](unsigned i) {
    if (excuses_[i] != absent && answers[i] > pending && responses_.fits(answers[i], excuses_[i]))
      excusable |= bit_of(i);
  });
  const std::vector<ResponseId> seen = answers;
  std::uint64_t excused = 0;
  do {
    for_each(excusable, [&](unsigned i) { answers[i] = excused & bit_of(i) ? excuses_[i] : seen[i]; });
    if (find_exactly(answers, constraints)) return true;
    excused = (excused - excusable) & excusable;  // the next subset
  } while (excused != 0);
  return false;
}

bool ObservationSet::keeps(const Group& group, std::size_t order, const Constraints& constraints) const {
  for (unsigned w = 0; w < words_; ++w) {
    const std::uint64_t bits = group.orders[order * words_ + w];
    if ((bits & constraints.set[w]) != constraints.set[w] || (bits & constraints.clear[w]) != 0) return false;
  }
  return constraints.handles->given == 0 || has_handles(group.histories[order], *constraints.handles);
}

/// Whether they are the same where those of a serial history are.
bool ObservationSet::has_handles(std::uint32_t history, const GivenHandles& handles) const {
  bool all = true;
  for_each(handles.given, [&](unsigned i) { all &= agrees(held_[history][i], i, handles); });
  return all;
}

bool ObservationSet::find_exactly(const std::vector<ResponseId>& answers, const Constraints& constraints) const {
  const auto found = groups_.find(answers);
  if (found == groups_.end()) return false;
  const Group& group = found->second;
  for (std::size_t i = 0; i < group.histories.size(); ++i) {
    if (!keeps(group, i, constraints)) continue;
    last_ = {&group, &found->first, i};
    return true;
  }
  return false;
}

bool ObservationSet::explains(const Recorded& history) const {
  const Constraints order = constraints(history, ~std::uint64_t{0});
  const auto answers = std::span(history.response).first(size_);
  if (last_.group && std::ranges::equal(answers, *last_.answers) && keeps(*last_.group, last_.order, order))
    return true;
  return find({answers.begin(), answers.end()}, order, history);
}

ClassRuling ObservationSet::explains_all(const HistoryClass& classed, absl::FunctionRef<bool()> go_on) const {
  // Whether an operation is excused depends on what it overlaps, in each history.
  if (has_excuses_) return {};
  const auto step = [&](std::uint32_t node, unsigned operation) -> std::optional<std::uint32_t> {
    const std::uint32_t next = node_after(node, operation);
    if (next == 0 || names_.by_place(operation, nodes_[next].response) != classed.response[operation])
      return std::nullopt;
    const bool gives = classed.handles.has(operation);
    if (gives && !agrees(held_[nodes_[next].history][operation], operation, classed.handles)) return std::nullopt;
    return next;
  };
  return ClassSearch(classed, asynchronous_, step, go_on).run();
}

bool ObservationSet::explains_stuck(const Recorded& history, unsigned operation) const {
  // The effect of an asynchronous operation may still be to come: then it is not part of the witness.
  const std::uint64_t may_lack = asynchronous_ & history.returned;
  for (std::uint64_t lacking = may_lack;; lacking = (lacking - 1) & may_lack) {
    const std::uint64_t present = history.returned & ~lacking;
    std::vector<ResponseId> answers(size_, absent);
    for_each(present, [&](unsigned i) { answers[i] = history.response[i]; });
    answers[operation] = pending;
    if (find(std::move(answers), constraints(history, present | bit_of(operation)), history)) return true;
    if (lacking == 0) return false;
  }
}

bool ObservationSet::keeps_order(const SerialHistory& serial, const Recorded& history) const {
  std::uint64_t placed = 0;
  for (const std::uint8_t operation : serial.order) {
    if ((history.called & bit_of(operation)) && (history.before[operation] & ~asynchronous_ & ~placed)) return false;
    placed |= bit_of(operation);
  }
  return true;
}

bool ObservationSet::each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const {
  for (const SerialHistory& serial : histories_) {
    if (keeps_order(serial, history) && !tell(serial)) return false;
  }
  return true;
}

bool ObservationSet::explains_classic(const Recorded& history) const {
  const std::uint64_t overlaps = overlapping(history);
  for (std::uint32_t i = 0; i < histories_.size(); ++i) {
    const SerialHistory& serial = histories_[i];
    // The shortest prefix with all that returned: what else is in it must be pending.
    std::uint64_t placed = 0;
    bool fits = (serial.excused & ~overlaps) == 0;
    for (const std::uint8_t operation : serial.order) {
      if ((placed & history.returned) == history.returned) break;
      fits &= (history.called & bit_of(operation)) != 0 && serial.response[operation] != pending;
      if (!fits) break;
      if (history.returned & bit_of(operation))
        fits = responses_.fits(history.response[operation], names_.by_place(operation, serial.response[operation]));
      fits &= (history.before[operation] & ~asynchronous_ & ~placed) == 0;
      if (!fits) break;
      placed |= bit_of(operation);
    }
    if (fits && (placed & history.returned) == history.returned && has_handles(i, history.handles)) return true;
  }
  return false;
}

}  // namespace muster
