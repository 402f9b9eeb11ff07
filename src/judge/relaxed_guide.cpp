#include "judge/relaxed_guide.hpp"

namespace muster {

std::optional<RelaxedGuide> RelaxedGuide::make(const Binding& binding, std::span<const OperationId> ids,
                                               const StateSpace& states) {
  const Family family = binding.spec().family();
  const auto* relaxed = dynamic_cast<const RelaxedStates*>(&states);
  if (!relaxed || family == Family::queue) return std::nullopt;
  const Collected collected = collect_items(binding, ids);
  if (!collected.items || !collected.items->pending_removals.empty() || !collected.items->peeks.empty() ||
      !collected.items->empties.empty())
    return std::nullopt;
  RelaxedGuide guide(*relaxed, family);
  const History& history = binding.history();
  guide.values_ = collected.items->values;
  guide.times_.resize(guide.values_.size());
  for (std::uint32_t item = 0; item < guide.values_.size(); ++item) guide.items_[guide.values_[item]] = item;
  for (const OperationId id : ids) {
    const Operation& operation = history[id];
    const bool inserts = binding.method(operation) == 0;
    if (!inserts && operation.result.is_none()) return std::nullopt;  // a pending look
    const std::uint32_t item = guide.items_.at(inserts ? binding.arguments(operation)[0] : operation.result);
    guide.roles_.push_back({inserts, item});
    Times& times = guide.times_[item];
    if (inserts) {
      times.insert_call = operation.call;
    } else {
      times.remove_call = operation.call;
      times.remove_return = operation.ret;
    }
  }
  return guide;
}

void RelaxedGuide::look_at(StateId state) {
  if (state == looked_at_) return;
  looked_at_ = state;
  reach_.clear();
  states_->reach(state, reach_);
}

std::optional<std::size_t> RelaxedGuide::rank_of(std::uint32_t item) const {
  for (std::size_t rank = 0; rank < reach_.size(); ++rank) {
    if (reach_[rank].value == values_[item]) return rank;
  }
  return std::nullopt;
}

bool RelaxedGuide::is_safe(StateId state, std::uint32_t index) {
  if (roles_[index].inserts) return false;
  look_at(state);
  const auto rank = rank_of(roles_[index].item);
  if (!rank) return false;
  for (std::size_t before = 0; before < *rank; ++before) {
    if (times_[items_.at(reach_[before].value)].remove_call < times_[roles_[index].item].remove_return) return false;
  }
  return true;
}

unsigned RelaxedGuide::cost(StateId state, std::uint32_t index) {
  if (roles_[index].inserts) return 0;
  look_at(state);
  return static_cast<unsigned>(rank_of(roles_[index].item).value_or(reach_.size()));
}

bool RelaxedGuide::would_be_skipped(std::uint32_t item, std::uint32_t by) const {
  if (family_ == Family::stack) return true;  // whatever comes in is on top
  return family_ == Family::largest_first ? values_[by] < values_[item] : values_[item] < values_[by];
}

bool RelaxedGuide::may_help(StateId state, std::uint32_t index, std::uint32_t forced) {
  if (index == forced) return true;
  const Role mine = roles_[index], other = roles_[forced];
  look_at(state);
  if (mine.inserts) {
    if (mine.item == other.item) return true;
    // To get below what is put in now; or to come out before it is in the way.
    const bool removal_open = times_[mine.item].remove_call < times_[other.item].remove_return;
    return other.inserts && (family_ == Family::stack || removal_open);
  }
  if (!rank_of(mine.item)) return false;
  if (other.inserts) return would_be_skipped(other.item, mine.item);
  const auto theirs = rank_of(other.item);
  return !theirs || *rank_of(mine.item) < *theirs;  // out of reach: whatever comes out brings it closer
}

}  // namespace muster
