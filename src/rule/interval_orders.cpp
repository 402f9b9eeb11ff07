#include "rule/interval_orders.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace muster {
namespace {

template <class Use>
void for_each_operation(std::uint64_t mask, Use use) {
  for (; mask; mask &= mask - 1) use(static_cast<unsigned>(std::countr_zero(mask)));
}

class IntervalOrders {
 public:
  IntervalOrders(const Recorded& history, std::uint64_t most, absl::FunctionRef<bool(const Recorded&)> tell)
      : history_(history), most_(most), tell_(tell) {}

  bool run() {
    Recorded made = history_;
    made.begin(history_.size);
    made.stuck = history_.stuck;
    made.spinning = history_.spinning;
    made.handles = history_.handles;
    extend(made);
    return told_ <= most_;
  }

 private:
  /// An operation that can be called with nothing more returned loses nothing by being called now: it has less before
  /// it, and the others have no more.
  bool extend(Recorded made) {
    for_each_operation(left(made), [&](unsigned b) {
      if ((history_.before[b] & ~made.returned) == 0) made.call(b);
    });
    if (made.called == history_.called) {
      ret(made, history_.returned);
      return ++told_ <= most_ && tell_(made);
    }
    const std::vector<std::uint64_t> needs = what_may_return(made);
    return std::ranges::all_of(needs, [&](std::uint64_t returning) {
      Recorded next = made;
      ret(next, returning);
      return extend(next);
    });
  }

  std::uint64_t left(const Recorded& made) const { return history_.called & ~made.called; }

  void ret(Recorded& made, std::uint64_t operations) const {
    for_each_operation(operations & ~made.returned, [&](unsigned a) { made.ret(a, history_.response[a]); });
  }

  /// What has to return for the next call: of two such sets the one that is part of the other orders less.
  std::vector<std::uint64_t> what_may_return(const Recorded& made) const {
    std::vector<std::uint64_t> least;
    for_each_operation(left(made), [&](unsigned b) {
      const std::uint64_t needed = history_.before[b] & ~made.returned;
      if ((needed & ~made.called) != 0) return;
      if (std::ranges::any_of(least, [&](std::uint64_t other) { return (other & ~needed) == 0; })) return;
      std::erase_if(least, [&](std::uint64_t other) { return (needed & ~other) == 0; });
      least.push_back(needed);
    });
    return least;
  }

  const Recorded& history_;
  const std::uint64_t most_;
  absl::FunctionRef<bool(const Recorded&)> tell_;
  std::uint64_t told_ = 0;
};

}  // namespace

bool each_interval_order(const Recorded& history, std::uint64_t most, absl::FunctionRef<bool(const Recorded&)> tell) {
  Recorded in_time = history;
  in_time.partial = false;
  return !tell(in_time) || IntervalOrders(history, most, tell).run();
}

}  // namespace muster
