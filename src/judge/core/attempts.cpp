#include "judge/core/attempts.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace muster {
namespace {

constexpr std::size_t most_nodes = 50'000;

class Tries {
 public:
  Tries(const History& history, const Spec& spec)
      : history_(history), binding_(history, spec), states_(spec.states()), placed_(history.size(), false) {}

  /// False if an order explains everything, or there are too many to look at.
  bool run() { return !explained_after(states_->initial()) && nodes_ <= most_nodes; }

  std::vector<AttemptedOrder> found;

 private:
  bool explained_after(StateId state) {
    if (++nodes_ > most_nodes) return false;
    if (everything_placed()) return true;
    if (!seen_.insert({state, placed_}).second) return false;
    std::optional<OperationId> refused;
    bool goes_on = false;
    for (const OperationId id : candidates()) {
      std::vector<StateId> next;
      states_->step(state, binding_.call(history_[id]), next);
      if (next.empty() && !refused) refused = id;
      for (const StateId after : next) {
        goes_on |= !history_[id].is_pending();
        placed_[id] = true;
        order_.push_back(id);
        const bool explained = explained_after(after);
        order_.pop_back();
        placed_[id] = false;
        if (explained) return true;
      }
    }
    if (!goes_on && refused) found.push_back({order_, *refused, states_->describe(state)});
    return false;
  }

  /// Operations that nothing unplaced precedes, the one that returned first in front: it has waited longest.
  std::vector<OperationId> candidates() const {
    std::vector<OperationId> free;
    for (OperationId id = 0; id < history_.size(); ++id) {
      if (placed_[id]) continue;
      bool minimal = true;
      for (OperationId other = 0; other < history_.size() && minimal; ++other)
        minimal = placed_[other] || other == id || !history_.precedes(other, id);
      if (minimal) free.push_back(id);
    }
    std::ranges::stable_sort(free, {}, [&](OperationId id) { return history_[id].ret; });
    return free;
  }

  bool everything_placed() const {
    for (OperationId id = 0; id < history_.size(); ++id) {
      if (!placed_[id] && !history_[id].is_pending()) return false;
    }
    return true;
  }

  const History& history_;
  Binding binding_;
  std::unique_ptr<StateSpace> states_;
  std::vector<bool> placed_;
  std::vector<OperationId> order_;
  std::set<std::pair<StateId, std::vector<bool>>> seen_;
  std::size_t nodes_ = 0;
};

bool one_object(const History& history, const Spec& spec) {
  const Binding binding(history, spec);
  return std::ranges::all_of(history.operations(), [&](const Operation& operation) {
    return binding.key(operation) == binding.key(history[0]);
  });
}

}  // namespace

std::vector<AttemptedOrder> attempted_orders(const History& history, const Spec& spec, std::size_t most) {
  if (history.empty() || history.size() > attempted_operations || !one_object(history, spec)) return {};
  Tries tries(history, spec);
  if (!tries.run()) return {};
  std::ranges::stable_sort(tries.found, std::greater(),
                           [](const AttemptedOrder& attempt) { return attempt.order.size(); });
  if (tries.found.size() > most) tries.found.resize(most);
  return std::move(tries.found);
}

}  // namespace muster
