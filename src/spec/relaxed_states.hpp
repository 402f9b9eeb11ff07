#pragma once
// State spaces of the relaxed objects: present items with how often each was skipped.

#include <memory>

#include "spec/spec.hpp"

namespace muster {

/// An item as the next removal sees it.
struct Ranked {
  Value value;
  unsigned skips = 0;  ///< by removals so far
};

/// What relaxed objects have in common. Method 0 puts in, 1 takes out, 2 looks; nil when empty.
class RelaxedStates : public StateSpace {
 public:
  explicit RelaxedStates(unsigned factor) : factor_(factor) {}

  void step(StateId state, const Call& call, std::vector<StateId>& next) final;
  std::string describe(StateId state) const final;

 protected:
  virtual StateId put(StateId state, Value value) = 0;
  /// Adds the items by rank, at least as far as a removal may reach.
  virtual void rank(StateId state, std::vector<Ranked>& items) const = 0;
  /// How many items precede this one: those that stand before it, except equals of a priority queue.
  virtual std::size_t preceding(const std::vector<Ranked>&, std::size_t index) const { return index; }
  /// Takes item `index` out and skips the first `skipped`.
  virtual StateId take(StateId state, const std::vector<Ranked>& items, std::size_t index, std::size_t skipped) = 0;

  unsigned factor_;

 private:
  std::vector<Ranked> items_;
};

std::unique_ptr<StateSpace> relaxed_queue_states(unsigned factor);
std::unique_ptr<StateSpace> relaxed_stack_states(unsigned factor);
std::unique_ptr<StateSpace> relaxed_priority_queue_states(unsigned factor, bool largest_first);

}  // namespace muster
