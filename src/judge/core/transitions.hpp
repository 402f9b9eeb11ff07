#pragma once
// Steps of a spec, remembered by (state, kind of operation): operations with equal method, arguments and answer share
// their steps.

#include <absl/container/flat_hash_map.h>

#include <span>
#include <vector>

#include "spec/forgetting_states.hpp"
#include "spec/spec.hpp"

namespace muster {

class Transitions {
 public:
  /// `ids`: the operations to be judged. `whole`: they belong to several keys and the state holds them all.
  Transitions(const Binding& binding, std::span<const OperationId> ids, bool whole);

  StateId initial() { return states_->initial(); }

  /// States after operation `index` (of `ids`) in `state`. The span is valid until the next call.
  std::span<const StateId> from(StateId state, std::uint32_t index);

  /// Equal for operations that no state tells apart.
  std::uint32_t kind(std::uint32_t index) const { return kinds_[index]; }

  /// Forgets all states but these, which get new numbers in their places; not all state spaces can.
  bool forgets() const { return forgetting_ != nullptr; }
  void keep(std::vector<StateId>& states);

  std::size_t bytes() const { return states_->bytes() + steps_.capacity() * 24 + many_.capacity() * 4; }

 private:
  /// Objects whose states hardly come back would fill any memory; those with few states stay far below.
  static constexpr std::size_t most_remembered = 1 << 15;

  void take_step(StateId state, std::uint32_t index);

  static constexpr std::uint32_t illegal = ~std::uint32_t{0};
  static constexpr std::uint32_t several = std::uint32_t{1} << 31;  ///< an index into many_, not a state

  const Binding& binding_;
  std::span<const OperationId> ids_;
  std::unique_ptr<StateSpace> states_;
  ForgettingStates* forgetting_;  ///< the same, if it is one
  std::vector<std::uint32_t> kinds_;
  std::vector<char> shared_;  ///< by kind: more than one operation is of it; steps of others are not worth remembering
  absl::flat_hash_map<std::uint64_t, std::uint32_t> steps_;
  std::vector<std::uint32_t> many_;  ///< count, then states
  std::vector<StateId> next_;
  std::uint32_t single_ = 0;
};

}  // namespace muster
