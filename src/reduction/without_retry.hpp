#pragma once
// The execution that a failed attempt is compared with: the same one, without what the attempt read.

#include <algorithm>
#include <span>
#include <vector>

#include "reduction/arrival.hpp"
#include "reduction/causal_order.hpp"
#include "schedule/point.hpp"

namespace muster {

class WithoutRetry {
 public:
  /// The execution in `order` up to now: its last transition is of the thread that arrives.
  WithoutRetry(const CausalOrder& order, const Arrival& arrival);

  /// A value that a transition of the original was told.
  void told(TransitionIndex transition, std::uint8_t value);

  /// Which messages the transitions of the original took.
  void took(std::span<const MessageName> messages);

  /// False if the transitions of the attempt could not be told from others.
  bool possible() const { return possible_; }

  /// How many transitions it has in common with the original before they part.
  TransitionIndex in_common() const;

  /// It begins where so many transitions have begun.
  void begin_after(std::uint32_t transitions) {
    made_ = transitions;
    told_ = 0;
  }
  /// False: the execution is no longer the wanted one, or the arrival is behind it.
  bool begin_transition(ThreadId thread);
  /// The option to take at a point; `abandon` of Strategy if there is none.
  std::uint8_t decide(const Point& point);

 private:
  struct Step {
    ThreadId thread;
    TransitionIndex original;
    std::vector<std::uint8_t> values;
    MessageName message = 0;
  };
  bool left_out(TransitionIndex transition) const {
    return std::find(left_out_.begin(), left_out_.end(), transition) != left_out_.end();
  }

  std::vector<Step> steps_;
  ThreadId thread_ = 0;                    // that arrives
  std::vector<TransitionIndex> left_out_;  // transitions of it
  bool possible_ = false;
  std::size_t made_ = 0;  // steps that were begun
  std::size_t told_ = 0;  // values told to the last of them
};

}  // namespace muster
