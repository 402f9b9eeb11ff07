#include "check/class_recorder.hpp"

#include <algorithm>
#include <bit>

namespace muster {

ClassRecorder::ClassRecorder(const Test& test, const ReductionStrategy& strategy)
    : test_(test), strategy_(strategy), list_(operations_of(test)), operations_(list_.size()), beside_(list_.size()) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    for (std::size_t j = 0; j < list_.size(); ++j) {
      // The initial and the final sequence run alone.
      const bool apart = list_[i].column < 0 || list_[j].column < 0;
      if (!apart && list_[i].column != list_[j].column) beside_[i] |= bit_of(static_cast<unsigned>(j));
    }
  }
}

void ClassRecorder::call(ThreadId thread, unsigned operation, bool thread_starts) {
  operations_[operation] = {thread, static_cast<std::int64_t>(strategy_.transition()) + (thread_starts ? 0 : 1), -1};
}

void ClassRecorder::ret(unsigned operation) { operations_[operation].end = strategy_.transition(); }

std::int64_t ClassRecorder::first_transition(const Span& span) const {
  const CausalOrder& order = strategy_.order();
  for (auto i = static_cast<TransitionIndex>(span.begin); i < order.size(); ++i) {
    if (order.thread(i) == span.thread) return i;
  }
  return -1;
}

HistoryClass ClassRecorder::made_of(std::uint64_t called, std::uint64_t returned, const Recorded& history) const {
  HistoryClass made;
  made.size = history.size;
  made.called = called;
  made.returned = returned;
  made.stuck = history.stuck;
  made.spinning = history.spinning;
  if (history.handles.given != 0) [[unlikely]]
    (made.handles = history.handles).given &= returned;
  std::array<std::int64_t, max_operations> first;
  for (std::uint64_t mask = called; mask; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    first[i] = first_transition(operations_[i]);
  }
  const CausalOrder& order = strategy_.order();
  for (std::uint64_t mask = called; mask; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    made.always_before[i] = called & ~beside_[i] & (bit_of(i) - 1);
    made.response[i] = pending;
    if (!(returned & bit_of(i))) continue;
    made.response[i] = history.response[i];
    std::uint64_t begun = made.always_before[i];
    const auto end = static_cast<TransitionIndex>(operations_[i].end);
    for (std::uint64_t others = called & beside_[i]; others; others &= others - 1) {
      const auto j = static_cast<unsigned>(std::countr_zero(others));
      if (first[j] >= 0 && order.before(static_cast<TransitionIndex>(first[j]), end)) begun |= bit_of(j);
    }
    made.begun_before_end[i] = begun;
  }
  return made;
}

HistoryClass ClassRecorder::whole(const Recorded& history) const {
  return made_of(history.called, history.returned, history);
}

std::vector<ClassRecorder::Turn> ClassRecorder::order_with(const Recorded& history, const Cut& cut) const {
  const CausalOrder& order = strategy_.order();
  const Cutter cutter(order);
  // Edges of the history: the end of an operation comes before the beginning of those called after it returned.
  std::vector<std::pair<TransitionIndex, TransitionIndex>> edges;
  for (std::uint64_t mask = history.called; mask; mask &= mask - 1) {
    const auto b = static_cast<unsigned>(std::countr_zero(mask));
    const std::int64_t first = first_transition(operations_[b]);
    for (std::uint64_t earlier = history.before[b]; earlier; earlier &= earlier - 1) {
      const Span& a = operations_[static_cast<unsigned>(std::countr_zero(earlier))];
      if (first >= 0 && a.end >= 0 && a.thread != operations_[b].thread)
        edges.emplace_back(static_cast<TransitionIndex>(a.end), static_cast<TransitionIndex>(first));
    }
  }
  std::vector<Turn> turns;
  std::vector<bool> made(order.size(), false);
  for (bool progress = true; progress;) {
    progress = false;
    for (TransitionIndex i = 0; i < order.size() && !progress; ++i) {
      if (made[i] || (!cut.empty() && !cutter.inside(i, cut))) continue;
      bool ready = true;
      for (TransitionIndex j = 0; j < order.size() && ready; ++j) ready = made[j] || j == i || !order.before(j, i);
      for (const auto& [from, to] : edges) ready &= to != i || made[from];
      if (!ready) continue;
      made[i] = progress = true;
      turns.push_back({order.thread(i), cutter.ordinal(i)});
    }
  }
  return turns;
}

}  // namespace muster
