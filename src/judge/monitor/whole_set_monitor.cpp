// Sets that only grow, read as a whole. What was read must be a chain of sets, each inside the next; so every read has
// a level, and so has the addition that made each element appear: between the last read without it and the first with
// it. Further additions of an element may come at any later level. In an explanation, what has a lower level comes
// first. Levels are a weak order and precedence is an interval order: they fit together iff no operation that must come
// later returned before one that must come earlier was called. (In a circle of both, the operations with the lowest and
// the highest level would conflict directly.)

#include "judge/monitor/whole_set_monitor.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace muster {
namespace {

using Level = std::uint32_t;
constexpr Level any_later = ~Level{0};

class WholeSetMonitor {
 public:
  WholeSetMonitor(const Binding& binding, std::span<const OperationId> ids, Limits& limits)
      : binding_(binding), history_(binding.history()), ids_(ids), limits_(limits) {}

  Verdict run() {
    take_operations();
    for (const Value read : reads_) {
      if (auto misfit = add_read(read)) return no_place(*misfit);
    }
    place_operations();
    return compare_with_precedence();
  }

 private:
  struct Placed {
    Level least, most;
    OperationId id;
  };

  const Operation& operation(OperationId id) const { return history_[id]; }

  static std::vector<Value> elements(Value read) {
    std::vector<Value> items;
    if (read.kind() == Value::Kind::list) items.assign(read.items().begin(), read.items().end());
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
  }

  /// Different reads, the smallest first.
  void take_operations() {
    for (const OperationId id : ids_) {
      limits_.step();
      const Operation& mine = operation(id);
      if (binding_.method(mine) == 0) {
        additions_[binding_.arguments(mine)[0]].push_back(id);
      } else if (!mine.is_pending() && !mine.result.is_none()) {
        by_read_[mine.result].push_back(id);
      }
    }
    for (const auto& [read, ids] : by_read_) reads_.push_back(read);
    std::ranges::sort(reads_);
    std::ranges::stable_sort(reads_, {}, [](Value read) { return elements(read).size(); });
  }

  /// An operation with no place, if the read is no set, does not hold what a smaller one held, or what nobody has
  /// added.
  std::optional<OperationId> add_read(Value read) {
    const bool is_set = read.kind() == Value::Kind::list || read.is_nil();
    if (!is_set) return by_read_[read].front();
    const std::vector<Value> items = elements(read);
    std::size_t known = 0;
    for (const Value item : items) {
      limits_.step();
      if (!additions_.contains(item)) return by_read_[read].front();
      known += appears_.contains(item);
    }
    if (known < appears_.size()) return by_read_[read].front();
    if (items.size() > appears_.size() || levels_ == 0) levels_ += 2;
    for (const Value item : items) appears_.try_emplace(item, levels_ - 1);
    for (const OperationId id : by_read_[read]) placed_.push_back({levels_, levels_, id});
    return std::nullopt;
  }

  void place_operations() {
    for (const auto& [item, ids] : additions_) {
      const auto found = appears_.find(item);
      const Level level = found == appears_.end() ? levels_ + 1 : found->second;
      // The one called first is as good as any to make it appear.
      const OperationId first = *std::ranges::min_element(ids, {}, [&](OperationId id) { return operation(id).call; });
      for (const OperationId id : ids) {
        const bool makes_it_appear = found != appears_.end() && id == first;
        if (makes_it_appear || !operation(id).is_pending())
          placed_.push_back({level, makes_it_appear ? level : any_later, id});
      }
    }
  }

  Verdict compare_with_precedence() {
    std::ranges::sort(placed_, {}, [](const Placed& placed) { return std::pair(placed.least, placed.id); });
    // By place: the first return from there on.
    std::vector<OperationId> first_return(placed_.size());
    for (std::size_t at = placed_.size(); at-- > 0;) {
      const OperationId id = placed_[at].id;
      const bool is_first = at + 1 == placed_.size() || operation(id).ret < operation(first_return[at + 1]).ret;
      first_return[at] = is_first ? id : first_return[at + 1];
    }
    for (const Placed& placed : placed_) {
      limits_.step();
      const auto later = std::ranges::upper_bound(placed_, placed.most, {}, &Placed::least);
      if (later == placed_.end()) continue;
      const OperationId other = first_return[static_cast<std::size_t>(later - placed_.begin())];
      if (operation(other).ret < operation(placed.id).call) return too_early(other, placed.id);
    }
    return Witness{};
  }

  Counterexample all(OperationId misfit) const {
    Counterexample result;
    result.operations.assign(ids_.begin(), ids_.end());
    result.misfits = {misfit};
    return result;
  }
  Verdict no_place(OperationId id) const {
    Counterexample result = all(id);
    result.reason =
        fmt::format("{}, which is no set, holds what nobody added, or lacks what a read of fewer elements held",
                    to_string(history_, id));
    return result;
  }
  Verdict too_early(OperationId id, OperationId before) const {
    Counterexample result = all(id);
    result.reason = fmt::format("{} must come after {}, which was called after it had returned",
                                to_string(history_, id), to_string(history_, before));
    return result;
  }

  const Binding& binding_;
  const History& history_;
  std::span<const OperationId> ids_;
  Limits& limits_;
  absl::flat_hash_map<Value, std::vector<OperationId>> additions_;  ///< by element
  absl::flat_hash_map<Value, std::vector<OperationId>> by_read_;    ///< reads by what they answered
  std::vector<Value> reads_;
  absl::flat_hash_map<Value, Level> appears_;  ///< when each element is first there
  std::vector<Placed> placed_;
  Level levels_ = 0;  ///< of the last read
};

}  // namespace

std::optional<Verdict> monitor_whole_set(const Binding& binding, std::span<const OperationId> ids, Limits& limits) {
  return WholeSetMonitor(binding, ids, limits).run();
}

}  // namespace muster
