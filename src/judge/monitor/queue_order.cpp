#include "judge/monitor/queue_order.hpp"

#include <algorithm>
#include <numeric>

namespace muster {
namespace {

/// Items by one of their intervals, given up as soon as no interval of an item that is left lies before theirs.
class ReadySide {
 public:
  ReadySide(const Items& items, Moment Item::*call, Moment Item::*ret)
      : items_(items), call_(call), ret_(ret), by_call_(order(call)), by_return_(order(ret)) {}

  template <class F>
  void take_ready(const std::vector<char>& placed, F&& take) {
    while (first_return_ < by_return_.size() && placed[by_return_[first_return_]]) ++first_return_;
    const Moment bound = first_return_ < by_return_.size() ? items_.items[by_return_[first_return_]].*ret_ : never;
    for (; next_ < by_call_.size(); ++next_) {
      const Moment call = items_.items[by_call_[next_]].*call_;
      if (call > bound || (call == never && bound != never)) break;
      take(by_call_[next_]);
    }
  }

 private:
  std::vector<std::uint32_t> order(Moment Item::*moment) const {
    std::vector<std::uint32_t> numbers(items_.items.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    std::ranges::sort(numbers, {}, [&](std::uint32_t item) { return items_.items[item].*moment; });
    return numbers;
  }

  const Items& items_;
  Moment Item::*call_;
  Moment Item::*ret_;
  std::vector<std::uint32_t> by_call_, by_return_;
  std::size_t next_ = 0, first_return_ = 0;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> queue_order(const Items& items) {
  ReadySide insertions(items, &Item::insert_call, &Item::insert_return),
      removals(items, &Item::remove_call, &Item::remove_return);
  std::vector<std::uint32_t> place(items.items.size());
  std::vector<char> placed(items.items.size()), sides(items.items.size());
  std::vector<std::uint32_t> ready;
  const auto take = [&](std::uint32_t item) {
    if (++sides[item] == 2) ready.push_back(item);
  };
  for (std::uint32_t count = 0; count < place.size();) {
    insertions.take_ready(placed, take);
    removals.take_ready(placed, take);
    if (ready.empty()) return std::nullopt;
    for (const std::uint32_t item : ready) {
      place[item] = count++;
      placed[item] = 1;
    }
    ready.clear();
  }
  return place;
}

}  // namespace muster
