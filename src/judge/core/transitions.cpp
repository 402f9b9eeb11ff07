#include "judge/core/transitions.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "judge/core/keyed_states.hpp"

namespace muster {
namespace {

std::uint64_t hash_of(const Call& call) {
  std::uint64_t hash = mix(call.method * 2u + call.pending, call.result.bits());
  hash = mix(hash, call.key.bits());
  for (const Value value : call.arguments) hash = mix(hash, value.bits());
  return hash;
}

bool same(const Call& a, const Call& b, bool with_process) {
  return a.method == b.method && a.pending == b.pending && a.result == b.result && a.key == b.key &&
         std::ranges::equal(a.arguments, b.arguments) && (!with_process || a.process == b.process);
}

}  // namespace

Transitions::Transitions(const Binding& binding, std::span<const OperationId> ids, bool whole)
    : binding_(binding), ids_(ids) {
  if (whole) {
    states_ = std::make_unique<KeyedStates>(binding.spec().states());
  } else {
    states_ = binding.spec().states_for(binding, ids);
  }
  forgetting_ = dynamic_cast<ForgettingStates*>(states_.get());
  const bool with_process = binding.spec().tells_processes_apart();
  const History& history = binding.history();
  absl::flat_hash_map<std::uint64_t, std::vector<std::uint32_t>> by_hash;
  kinds_.resize(ids.size());
  shared_.resize(ids.size());
  for (std::uint32_t index = 0; index < ids.size(); ++index) {
    const Call call = binding.call(history[ids[index]]);
    auto& alike = by_hash[hash_of(call)];
    const auto found = std::ranges::find_if(
        alike, [&](std::uint32_t other) { return same(call, binding.call(history[ids[other]]), with_process); });
    kinds_[index] = found == alike.end() ? index : *found;
    if (found != alike.end()) shared_[*found] = 1;
    if (found == alike.end()) alike.push_back(index);
  }
}

void Transitions::keep(std::vector<StateId>& states) {
  forgetting_->keep(states);
  steps_ = {};
  many_.clear();
}

void Transitions::take_step(StateId state, std::uint32_t index) {
  next_.clear();
  states_->step(state, binding_.call(binding_.history()[ids_[index]]), next_);
  if (next_.size() < 2) return;
  std::ranges::sort(next_);
  next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
}

std::span<const StateId> Transitions::from(StateId state, std::uint32_t index) {
  if (!shared_[kinds_[index]]) {
    take_step(state, index);
    return next_;
  }
  if (steps_.size() >= most_remembered) {
    steps_.clear();
    many_.clear();
  }
  const auto [found, fresh] = steps_.try_emplace(std::uint64_t{state} << 32 | kinds_[index], illegal);
  if (fresh) {
    take_step(state, index);
    if (next_.size() == 1) {
      found->second = next_.front();
    } else if (next_.size() > 1) {
      found->second = several | static_cast<std::uint32_t>(many_.size());
      many_.push_back(static_cast<std::uint32_t>(next_.size()));
      many_.insert(many_.end(), next_.begin(), next_.end());
    }
  }
  if (found->second == illegal) return {};
  if (found->second & several) {
    const std::uint32_t at = found->second & ~several;
    return {many_.data() + at + 1, many_[at]};
  }
  single_ = found->second;
  return {&single_, 1};
}

}  // namespace muster
