#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "judge/core/backtracking.hpp"
#include "judge/core/configurations.hpp"
#include "judge/core/search.hpp"
#include "judge/core/transitions.hpp"
#include "judge/monitor/items.hpp"
#include "judge/monitor/queue_order.hpp"

namespace muster {
namespace {

/// Operations are known by their index in `ids` here.
using Index = std::uint32_t;
constexpr Index nobody = ~Index{0};

/// Calls and returns in order, with a slot for each operation that no other one open at the same time has. An operation
/// that is pending for ever keeps its slot; all others give it back.
struct Events {
  struct Event {
    Index operation;
    bool is_return;
  };
  std::vector<Event> events;
  std::vector<std::uint32_t> slot;    ///< by operation
  std::uint32_t returning_slots = 0;  ///< slots below this are for operations that return
  std::uint32_t slots = 0;

  Events(const Binding& binding, std::span<const OperationId> ids) {
    const History& history = binding.history();
    std::vector<std::pair<Position, Event>> order;
    for (Index index = 0; index < ids.size(); ++index) {
      const Operation& operation = history[ids[index]];
      // A pending observer can be left out of every explanation.
      if (operation.is_pending() && binding.described(operation).observes) continue;
      order.push_back({operation.call, {index, false}});
      if (!operation.is_pending()) order.push_back({operation.ret, {index, true}});
    }
    std::ranges::sort(order, {}, &std::pair<Position, Event>::first);
    slot.resize(ids.size());
    std::vector<std::uint32_t> free;
    std::vector<Index> pending;
    for (const auto& [position, event] : order) {
      events.push_back(event);
      if (event.is_return) {
        free.push_back(slot[event.operation]);
      } else if (history[ids[event.operation]].is_pending()) {
        pending.push_back(event.operation);
      } else if (free.empty()) {
        slot[event.operation] = returning_slots++;
      } else {
        slot[event.operation] = free.back();
        free.pop_back();
      }
    }
    slots = returning_slots;
    for (const Index index : pending) slot[index] = slots++;
  }
};

struct LinearizedNext {
  Index operation;
  StateId next;
};

struct IntervalFrame : Choice {
  std::uint32_t configuration;  ///< its number in seen_
  std::uint32_t event;
  std::uint32_t trail;  ///< length of the trail on entry
};

class IntervalSearch : public Backtracking<IntervalSearch, LinearizedNext, IntervalFrame> {
 public:
  IntervalSearch(const Binding& binding, std::span<const OperationId> ids, bool whole, const JudgeOptions& options)
      : Backtracking(options),
        binding_(binding),
        ids_(ids),
        whole_(whole),
        events_(binding, ids),
        transitions_(binding, ids, whole),
        seen_(1 + (events_.slots + 63) / 64),
        configuration_(1 + (events_.slots + 63) / 64),
        open_(events_.slots, nobody),
        tried_(ids.size(), 0) {
    for (const OperationId id : ids) never_changes_.push_back(binding.never_changes(binding.history()[id]));
    guess_urgency();
    state_ = transitions_.initial();
  }

 private:
  friend Backtracking;

  /// In which order to try operations. Usually what must return first comes first. What is put into a queue or a stack,
  /// though, is best put in an order that fits how it comes out. A bad guess costs time only.
  void guess_urgency() {
    for (const OperationId id : ids_) urgency_.push_back(binding_.history()[id].ret);
    const Family family = binding_.spec().family();
    if (family == Family::queue) follow_queue_order();
    if (family == Family::stack) push_last_what_pops_first();
  }

  void follow_queue_order() {
    const Collected collected = collect_items(binding_, ids_);
    if (!collected.items) return;
    const auto order = queue_order(*collected.items);
    if (!order) return;
    absl::flat_hash_map<OperationId, std::uint32_t> urgency;
    for (std::uint32_t item = 0; item < order->size(); ++item) {
      urgency[collected.items->items[item].insert] = 2 * (*order)[item];
      if (collected.items->items[item].is_removed())
        urgency[collected.items->items[item].remove] = 2 * (*order)[item] + 1;
    }
    for (Index index = 0; index < ids_.size(); ++index) {
      const auto found = urgency.find(ids_[index]);
      urgency_[index] = found == urgency.end() ? never : found->second;
    }
  }

  void push_last_what_pops_first() {
    const History& history = binding_.history();
    absl::flat_hash_map<Value, Position> comes_out;
    for (Index index = 0; index < ids_.size(); ++index) {
      const Operation& operation = history[ids_[index]];
      if (binding_.arguments(operation).empty() && !never_changes_[index])
        comes_out.try_emplace(operation.result, operation.ret);
    }
    for (Index index = 0; index < ids_.size(); ++index) {
      const auto arguments = binding_.arguments(history[ids_[index]]);
      if (arguments.empty()) continue;
      const auto found = comes_out.find(arguments[0]);
      urgency_[index] = found == comes_out.end() ? 0 : never - found->second;
    }
  }

  bool is_linearized(Index index) const {
    const std::uint32_t slot = events_.slot[index];
    return configuration_[1 + slot / 64] >> slot % 64 & 1;
  }
  void flip(Index index) {
    const std::uint32_t slot = events_.slot[index];
    configuration_[1 + slot / 64] ^= std::uint64_t{1} << slot % 64;
  }
  void linearize(Index index, StateId next) {
    flip(index);
    trail_.push_back(index);
    state_ = next;
  }

  /// Moves on to the next return of an operation that is not linearized; true if there is none.
  bool everything_explained() {
    for (;;) {
      const auto& events = events_.events;
      for (; event_ < events.size(); ++event_) {
        const auto [index, is_return] = events[event_];
        if (!is_return) {
          open_[events_.slot[index]] = index;
        } else if (is_linearized(index)) {
          flip(index);
          open_[events_.slot[index]] = nobody;
        } else {
          break;
        }
      }
      furthest_ = std::max(furthest_, event_);
      if (event_ == events.size()) return true;
      if (!take_what_changes_nothing()) return false;
    }
  }

  /// What never changes the object and is legal now may be taken now: no later place could be better. True if the
  /// forced one was.
  bool take_what_changes_nothing() {
    const Index forced = events_.events[event_].operation;
    for (std::uint32_t slot = 0; slot < events_.returning_slots; ++slot) {
      const Index index = open_[slot];
      if (index == nobody || !never_changes_[index] || is_linearized(index)) continue;
      const auto next = transitions_.from(state_, index);
      if (!next.empty() && next.front() == state_) linearize(index, state_);
    }
    return is_linearized(forced);
  }

  /// True if this configuration is new.
  bool remember() {
    configuration_[0] = std::uint64_t{event_} << 32 | state_;
    const auto [number, fresh] = seen_.add(configuration_);
    if (fresh) {
      const auto first = static_cast<std::uint32_t>(candidates_.size());
      frames_.push_back({{first, first}, number, event_, static_cast<std::uint32_t>(trail_.size())});
    }
    return fresh;
  }

  /// What is open and may be linearized next: by urgency, then what never returns.
  void collect_candidates() {
    const Index forced = events_.events[event_].operation;
    const std::size_t first = candidates_.size();
    const auto add = [&](Index index) {
      for (const StateId next : transitions_.from(state_, index)) candidates_.push_back({index, next});
    };
    for (std::uint32_t slot = 0; slot < events_.returning_slots; ++slot) {
      const Index index = open_[slot];
      if (index != nobody && !is_linearized(index) && !never_changes_[index] && may_help(index, forced)) add(index);
    }
    if (never_changes_[forced]) add(forced);
    std::stable_sort(candidates_.begin() + static_cast<std::ptrdiff_t>(first), candidates_.end(),
                     [&](const LinearizedNext& a, const LinearizedNext& b) {
                       return urgency_[a.operation] < urgency_[b.operation];
                     });
    ++stamp_;
    for (std::uint32_t slot = events_.returning_slots; slot < events_.slots; ++slot) {
      const Index index = open_[slot];
      if (index == nobody) break;  // pending operations open in the order of their slots
      if (is_linearized(index) || !may_help(index, forced)) continue;
      // Of pending operations that no state tells apart only the first is tried: the others could take its place.
      if (std::exchange(tried_[transitions_.kind(index)], stamp_) == stamp_) continue;
      const std::size_t before = candidates_.size();
      add(index);
      std::erase_if(candidates_, [&, at = std::size_t{0}](const LinearizedNext& c) mutable {
        return at++ >= before && c.next == state_;
      });
    }
    // Candidates are taken from the back.
    std::reverse(candidates_.begin() + static_cast<std::ptrdiff_t>(first), candidates_.end());
    frames_.back().next_candidate = static_cast<std::uint32_t>(candidates_.size());
  }

  /// An operation on another key can wait until something on its own key forces it.
  bool may_help(Index index, Index forced) {
    return !whole_ || binding_.key(binding_.history()[ids_[index]]) == binding_.key(binding_.history()[ids_[forced]]);
  }

  void take(const LinearizedNext& candidate) { linearize(candidate.operation, candidate.next); }

  void return_to(const IntervalFrame& frame) {
    for (; event_ > frame.event; --event_) {
      const auto [index, is_return] = events_.events[event_ - 1];
      open_[events_.slot[index]] = is_return ? index : nobody;
    }
    std::ranges::copy(seen_.at(frame.configuration), configuration_.begin());
    state_ = static_cast<StateId>(configuration_[0]);
    trail_.resize(frame.trail);
  }

  std::vector<OperationId> witness() const {
    std::vector<OperationId> order;
    for (const Index index : trail_) order.push_back(ids_[index]);
    return order;
  }

  std::size_t explained() const {
    return static_cast<std::size_t>(std::count_if(events_.events.begin(), events_.events.begin() + furthest_,
                                                  [](const Events::Event& event) { return event.is_return; }));
  }

  Verdict counterexample() const {
    Counterexample result;
    result.operations.assign(ids_.begin(), ids_.end());
    const OperationId misfit = ids_[events_.events[furthest_].operation];
    result.misfits.push_back(misfit);
    result.reason = fmt::format("no order of the operations explains {}", to_string(binding_.history(), misfit));
    return result;
  }

  std::size_t bytes() const {
    return seen_.bytes() + transitions_.bytes() +
           (frames_.capacity() + candidates_.capacity()) * sizeof(IntervalFrame) + trail_.capacity() * 4;
  }

  const Binding& binding_;
  std::span<const OperationId> ids_;
  bool whole_;
  Events events_;
  Transitions transitions_;
  Configurations seen_;
  std::vector<std::uint64_t> configuration_;  ///< event and state, then a bit a slot: linearized, not yet returned
  std::vector<Index> open_;                   ///< by slot: called, not yet returned
  std::vector<std::uint32_t> tried_;
  std::vector<char> never_changes_;
  std::vector<Position> urgency_;  ///< smaller is tried first
  std::vector<Index> trail_;
  StateId state_ = 0;
  std::uint32_t event_ = 0;
  std::uint32_t furthest_ = 0;
  std::uint32_t stamp_ = 0;
};

}  // namespace

Verdict search_intervals(const Binding& binding, std::span<const OperationId> ids, bool whole,
                         const JudgeOptions& options) {
  return IntervalSearch(binding, ids, whole, options).run();
}

}  // namespace muster
