#pragma once
// Small random histories of queues, stacks and priority queues that take any of the first few items.

#include <algorithm>
#include <vector>

#include "base/rng.hpp"
#include "spec/spec.hpp"

namespace muster::test {

struct RelaxedShape {
  std::size_t operations = 7;
  std::size_t reach = 2;     ///< removals take one of the first `reach` + 1 items
  bool empties = true;       ///< removals that find nothing stay; else they are left out
  bool drained = false;      ///< removals of all that is left follow
  unsigned pending = 0;      ///< percent
  unsigned changed = 0;      ///< percent of the answers replaced by others
  std::uint64_t values = 0;  ///< drawn from so many; 0: all distinct
  std::uint64_t width = 6;   ///< of an operation in time, at most
};

inline History random_relaxed_history(Rng& rng, const Spec& exact, const RelaxedShape& shape) {
  HistoryBuilder build;
  const Family family = exact.family();
  const std::string_view put = exact.methods()[0].name, take = exact.methods()[1].name;
  std::vector<std::int64_t> items;  // in the order in which they came
  std::int64_t fresh = 0, now = 0;
  const auto rank_first = [&](std::int64_t a, std::int64_t b) {
    return family == Family::largest_first ? b < a : a < b;
  };
  const auto add = [&](std::string_view method, std::vector<Value> arguments, Value result, bool may_be_pending) {
    const auto before = static_cast<std::int64_t>(rng.below(shape.width)),
               after = static_cast<std::int64_t>(rng.below(shape.width));
    const bool pending = may_be_pending && rng.chance(shape.pending, 100);
    build.interval(build.process(Value::integer(now)), build.method(method), arguments, pending ? Value() : result,
                   std::max<std::int64_t>(0, 2 * now - before),
                   pending ? HistoryBuilder::still_pending : 2 * now + 1 + after);
    ++now;
  };
  const auto remove = [&](std::size_t reach) {
    if (items.empty()) {
      if (shape.empties) add(take, {}, Value::nil(), true);
      return;
    }
    std::vector<std::size_t> order(items.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = family == Family::stack ? order.size() - 1 - i : i;
    if (family != Family::queue && family != Family::stack)
      std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return rank_first(items[a], items[b]); });
    const std::size_t chosen = order[rng.below(std::min(order.size(), reach + 1))];
    std::int64_t value = items[chosen];
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(chosen));
    if (rng.chance(shape.changed, 100))
      value = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(fresh) + 2));
    add(take, {}, value == 0 ? Value::nil() : Value::integer(value), true);
  };
  while (static_cast<std::size_t>(now) < shape.operations) {
    if (rng.chance(2 * static_cast<std::uint64_t>(now) < shape.operations ? 3 : 1, 4) ||
        (items.empty() && !shape.empties)) {
      // Keys of priority queues come in no order.
      std::int64_t value = ++fresh;
      if (family != Family::queue && family != Family::stack) value = value * 7 % 29 + 1;
      if (shape.values > 0) value = 1 + static_cast<std::int64_t>(rng.below(shape.values));
      items.push_back(value);
      add(put, {Value::integer(value)}, Value(), true);
    } else {
      remove(shape.reach);
    }
  }
  if (shape.drained) {
    while (!items.empty()) remove(shape.reach);
  }
  return build.finish(rng.chance(1, 2) ? Ties::overlap : Ties::precede);
}

}  // namespace muster::test
