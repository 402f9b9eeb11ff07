#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "judge/core/backtracking.hpp"
#include "judge/core/search.hpp"
#include "judge/core/transitions.hpp"

namespace muster {
namespace {

using Index = std::uint32_t;
constexpr Index no_operation = ~Index{0};

struct MovedOperation {
  Index index;
  std::uint32_t position;  ///< in its class, where it was placed first
  bool operator==(const MovedOperation&) const = default;
};

struct Placement {
  Index real_time, legal;
  StateId next;
};

struct WindowFrame : Choice {
  StateId state;
  Placement made{no_operation, no_operation, 0};
  std::vector<MovedOperation> behind, ahead;  ///< before it
};

/// The real-time order and the legal order are built side by side, position by position. A state is how far the first
/// has come, the state of the object after the second, and the operations that are in one and not yet in the other: at
/// most twice the factor a class.
class WindowSearch : public Backtracking<WindowSearch, Placement, WindowFrame> {
 public:
  WindowSearch(const Binding& binding, std::span<const OperationId> ids, const QuasiFactors& factors,
               const JudgeOptions& options)
      : Backtracking(options),
        binding_(binding),
        ids_(ids.begin(), ids.end()),
        in_real_time_(ids.size()),
        in_legal_(ids.size()) {
    const History& history = binding.history();
    // What returned, by call; then what is pending.
    std::ranges::sort(ids_, {}, [&](OperationId id) { return std::pair(history[id].is_pending(), history[id].call); });
    transitions_.emplace(binding, ids_, false);
    for (Index index = 0; index < ids_.size(); ++index) {
      must_return_ += !history[ids_[index]].is_pending();
      by_return_.push_back(index);
      class_of_.push_back(class_of(binding.method(history[ids_[index]]), factors));
    }
    std::ranges::stable_sort(by_return_, {}, [&](Index index) { return history[ids_[index]].ret; });
    return_place_.resize(ids_.size());
    for (Index place = 0; place < by_return_.size(); ++place) return_place_[by_return_[place]] = place;
    counts_.resize(factors_.size());
    state_ = transitions_->initial();
  }

  /// After a witness was found.
  std::vector<OutOfTurn> displaced() const {
    std::vector<std::vector<Index>> real_time(factors_.size()), legal(factors_.size());
    std::vector<std::uint32_t> turn(ids_.size());  // its place in the legal order of its class
    for (const Index index : legal_order_) {
      turn[index] = static_cast<std::uint32_t>(legal[class_of_[index]].size());
      legal[class_of_[index]].push_back(index);
    }
    std::vector<OutOfTurn> moved;
    for (const WindowFrame& frame : frames_) {
      const Index index = frame.made.real_time;
      auto& before = real_time[class_of_[index]];
      const std::int64_t distance = std::int64_t{turn[index]} - static_cast<std::int64_t>(before.size());
      if (distance != 0)
        moved.push_back(
            {ids_[index], ids_[legal[class_of_[index]][before.size()]], static_cast<unsigned>(std::abs(distance))});
      before.push_back(index);
    }
    return moved;
  }

 private:
  friend Backtracking;

  const Operation& operation(Index index) const { return binding_.history()[ids_[index]]; }

  /// Classes in the order of their first operation; a method without a factor is a class of its own.
  std::uint32_t class_of(MethodIndex method, const QuasiFactors& factors) {
    std::uint32_t key = method;
    for (std::size_t i = 0; i < factors.classes.size(); ++i) {
      if (std::ranges::find(factors.classes[i].methods, method) != factors.classes[i].methods.end())
        key = 256 + static_cast<std::uint32_t>(i);
    }
    for (std::uint32_t known = 0; known < class_keys_.size(); ++known) {
      if (class_keys_[known] == key) return known;
    }
    class_keys_.push_back(key);
    factors_.push_back(factors.of(method));
    return static_cast<std::uint32_t>(class_keys_.size() - 1);
  }

  bool everything_explained() const { return placed_ == must_return_ && behind_.empty() && ahead_.empty(); }

  /// An operation may come next in real time if all that precede it have come.
  Position bound() {
    while (first_return_ < by_return_.size() && in_real_time_[by_return_[first_return_]]) ++first_return_;
    return first_return_ < by_return_.size() ? operation(by_return_[first_return_]).ret : never;
  }

  void collect_candidates() {
    const auto first = static_cast<std::uint32_t>(candidates_.size());
    const Position before = bound();
    const auto may_come = [&](Index index) { return !in_real_time_[index] && operation(index).call < before; };
    for (Index index = low(); index < must_return_ && operation(index).call < before; ++index) {
      if (may_come(index)) collect_with(index, before);
    }
    for (Index index = must_return_; index < ids_.size(); ++index) {
      if (may_come(index)) collect_with(index, before);
    }
    // Taken from the back; operations that are not displaced first.
    std::stable_sort(candidates_.begin() + first, candidates_.end(), [](const Placement& a, const Placement& b) {
      return (a.real_time == a.legal) < (b.real_time == b.legal);
    });
    frames_.push_back(
        {{first, static_cast<std::uint32_t>(candidates_.size())}, state_, {no_operation, no_operation, 0}, {}, {}});
  }

  void collect_with(Index real_time, Position before) {
    const std::uint32_t in_class = class_of_[real_time], position = counts_[in_class], factor = factors_[in_class];
    const auto overdue = [&](const std::vector<MovedOperation>& displaced) {
      for (const MovedOperation& other : displaced) {
        if (class_of_[other.index] == in_class && other.position + factor == position) return other.index;
      }
      return no_operation;
    };
    const Index due_in_real_time = overdue(ahead_), due_in_legal = overdue(behind_);
    if (due_in_real_time != no_operation && due_in_real_time != real_time) return;
    const auto add = [&](Index legal) {
      if (due_in_legal != no_operation && due_in_legal != legal) return;
      for (const StateId next : transitions_->from(state_, legal)) candidates_.push_back({real_time, legal, next});
    };
    if (!in_legal_[real_time]) add(real_time);
    if (factor == 0) return;
    for (const MovedOperation& other : behind_) {
      if (class_of_[other.index] == in_class) add(other.index);
    }
    for (Index index = low(); index < ids_.size(); ++index) {
      if (index == real_time || in_real_time_[index] || in_legal_[index] || class_of_[index] != in_class) continue;
      // Those called later have even more of their class before them.
      if (operation(index).call > before && too_many_before(index, real_time, in_class, factor)) {
        if (index < must_return_) {
          index = must_return_ - 1;
          continue;
        }
        break;
      }
      add(index);
    }
  }

  /// Whether more operations of the class must come before it than its factor allows.
  bool too_many_before(Index index, Index real_time, std::uint32_t in_class, std::uint32_t factor) const {
    std::uint32_t before = 1;  // the one placed now
    for (Index other = low_; other < must_return_ && operation(other).call < operation(index).call; ++other) {
      before += !in_real_time_[other] && other != real_time && class_of_[other] == in_class &&
                operation(other).ret < operation(index).call;
      if (before > factor) return true;
    }
    return false;
  }

  void take(const Placement& chosen) {
    WindowFrame& frame = frames_.back();
    frame.made = chosen;
    frame.behind = behind_;
    frame.ahead = ahead_;
    const std::uint32_t position = counts_[class_of_[chosen.real_time]]++;
    in_real_time_[chosen.real_time] = 1;
    in_legal_[chosen.legal] = 1;
    placed_ += chosen.real_time < must_return_;
    legal_order_.push_back(chosen.legal);
    state_ = chosen.next;
    furthest_ = std::max<std::size_t>(furthest_, placed_);
    if (chosen.real_time == chosen.legal) return;
    meet_or_add(ahead_, behind_, {chosen.real_time, position});
    meet_or_add(behind_, ahead_, {chosen.legal, position});
  }

  /// An operation that is in one order already is now in both.
  static void meet_or_add(std::vector<MovedOperation>& there, std::vector<MovedOperation>& here,
                          MovedOperation placed) {
    const auto found = std::ranges::find(there, placed.index, &MovedOperation::index);
    if (found == there.end()) {
      here.push_back(placed);
    } else {
      there.erase(found);
    }
  }

  void return_to(WindowFrame& frame) {
    const Placement made = frame.made;
    if (made.legal == no_operation) return;
    frame.made.legal = no_operation;
    behind_ = frame.behind;
    ahead_ = frame.ahead;
    state_ = frame.state;
    --counts_[class_of_[made.real_time]];
    in_real_time_[made.real_time] = 0;
    in_legal_[made.legal] = 0;
    placed_ -= made.real_time < must_return_;
    legal_order_.pop_back();
    low_ = std::min(low_, made.real_time);
    first_return_ = std::min<std::size_t>(first_return_, return_place_[made.real_time]);
  }

  /// The first of those that returned which is not in the real-time order.
  Index low() {
    while (low_ < must_return_ && in_real_time_[low_]) ++low_;
    return low_;
  }

  bool remember() {
    key_.assign({low(), state_});
    std::size_t left = placed_ - low_;
    for (Index index = low_; left > 0; ++index) {
      if (!in_real_time_[index]) continue;
      key_.push_back(index);
      --left;
    }
    for (Index index = must_return_; index < ids_.size(); ++index) {
      if (in_real_time_[index]) key_.push_back(index);
    }
    for (auto* displaced : {&behind_, &ahead_}) {
      key_.push_back(no_operation);
      // The order in which they were placed shows in their positions.
      std::ranges::sort(*displaced, {}, &MovedOperation::index);
      for (const MovedOperation& each : *displaced) {
        key_.push_back(each.index);
        key_.push_back(counts_[class_of_[each.index]] - each.position);
      }
    }
    const bool fresh = seen_.insert(key_).second;
    if (fresh) key_bytes_ += key_.size() * 4 + 48;
    return fresh;
  }

  std::vector<OperationId> witness() const {
    std::vector<OperationId> order;
    for (const Index index : legal_order_) order.push_back(ids_[index]);
    return order;
  }

  Verdict counterexample() const {
    Counterexample result;
    result.operations = ids_;
    std::ranges::sort(result.operations);
    const Index misfit = static_cast<Index>(std::min<std::size_t>(furthest_, must_return_ - 1));
    result.misfits.push_back(ids_[misfit]);
    result.reason =
        fmt::format("no order within the factors explains all up to {}", to_string(binding_.history(), ids_[misfit]));
    return result;
  }

  std::size_t explained() const { return furthest_; }

  std::size_t bytes() const {
    return key_bytes_ + transitions_->bytes() + frames_.capacity() * sizeof(WindowFrame) + candidates_.capacity() * 12;
  }

  const Binding& binding_;
  std::vector<OperationId> ids_;
  std::optional<Transitions> transitions_;
  std::vector<std::uint32_t> class_keys_, factors_;  ///< by class
  std::vector<std::uint32_t> counts_;                ///< by class: how many are placed
  std::vector<std::uint32_t> class_of_;              ///< by operation
  std::vector<Index> by_return_, return_place_;
  std::vector<char> in_real_time_, in_legal_;
  std::vector<MovedOperation> behind_, ahead_;  ///< in real time and not yet legal; legal and not yet in real time
  std::vector<Index> legal_order_;
  std::vector<std::uint32_t> key_;
  absl::flat_hash_set<std::vector<std::uint32_t>> seen_;
  std::size_t key_bytes_ = 0, placed_ = 0, furthest_ = 0;
  Index low_ = 0, must_return_ = 0;
  std::size_t first_return_ = 0;
  StateId state_ = 0;
};

}  // namespace

Verdict search_window(const Binding& binding, std::span<const OperationId> ids, const QuasiFactors& factors,
                      const JudgeOptions& options, std::vector<OutOfTurn>* displaced) {
  WindowSearch search(binding, ids, factors, options);
  Verdict verdict = search.run();
  if (displaced && passes(verdict)) *displaced = search.displaced();
  return verdict;
}

}  // namespace muster
