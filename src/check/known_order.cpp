#include "check/known_order.hpp"

#include <bit>
#include <vector>

namespace muster {
namespace {

template <class Use>
void for_each_operation(std::uint64_t mask, Use use) {
  for (; mask; mask &= mask - 1) use(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace

void KnownOrder::call(const RaceDetector& races, ThreadId thread, unsigned operation, std::uint64_t returned) {
  calls_[operation] = {races.known(), races.now(), thread};
  before_[operation] = 0;
  for_each_operation(returned, [&](unsigned earlier) {
    const StrongOrder::Moment& at = returns_[earlier];
    if (at.thread == thread || races.known().lane[at.thread] >= at.number) before_[operation] |= bit_of(earlier);
  });
}

Recorded KnownOrder::weakened(const Recorded& history) const {
  Recorded made = history;
  made.partial = true;
  for_each_operation(made.called, [&](unsigned operation) { made.before[operation] &= before_[operation]; });
  return made;
}

HistoryClass KnownOrder::with_callers(const Recorded& weakened, StrongOrder& order) const {
  HistoryClass made;
  made.size = weakened.size;
  made.called = weakened.called;
  made.returned = weakened.returned;
  made.stuck = weakened.stuck;
  made.spinning = weakened.spinning;
  made.response = weakened.response;
  made.handles = weakened.handles;
  std::vector<StrongOrder::Moment> calls, returns;
  for_each_operation(made.called, [&](unsigned operation) {
    made.always_before[operation] = weakened.before[operation];
    calls.push_back(calls_[operation]);
  });
  for_each_operation(made.returned, [&](unsigned operation) { returns.push_back(returns_[operation]); });
  const std::vector<std::uint64_t> forced = order.forced(calls, returns);
  std::size_t call = 0;
  for_each_operation(made.called, [&](unsigned begun) {
    std::size_t ret = 0;
    for_each_operation(made.returned, [&](unsigned ended) {
      if (begun != ended && (forced[call] >> ret & 1)) made.begun_before_end[ended] |= bit_of(begun);
      ++ret;
    });
    ++call;
  });
  return made;
}

bool KnownOrder::allows(const Recorded& history, const Recorded& weakened, StrongOrder& order) const {
  std::vector<StrongOrder::Moment> moments;
  std::array<std::size_t, max_operations> call_at{}, return_at{};
  for (unsigned i = 0; i < weakened.mark_count; ++i) {
    const auto [operation, is_return] = weakened.marks[i];
    (is_return ? return_at : call_at)[operation] = moments.size();
    moments.push_back(is_return ? returns_[operation] : calls_[operation]);
  }
  std::vector<StrongOrder::Added> added;
  for_each_operation(history.called, [&](unsigned later) {
    for_each_operation(history.before[later] & ~weakened.before[later],
                       [&](unsigned earlier) { added.emplace_back(return_at[earlier], call_at[later]); });
  });
  return order.allows(moments, added);
}

}  // namespace muster
