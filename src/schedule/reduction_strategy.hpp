#pragma once
// One complete execution of each class: executions that differ only in the order of transitions that commute are the
// same one. Sleep sets (Godefroid 1996) see to that; memory is polynomial. On request, only those threads are tried
// that reverse a race, as in source sets (Abdulla, Aronis, Jonsson, Sagonas, "Source Sets", JACM 2017): fewer
// executions end asleep, but where a step touches other things once a race is reversed (a wait that queues or not),
// classes can be missed, so that is no basis for a proof.

#include <memory>

#include "schedule/causal_order.hpp"
#include "schedule/strategy.hpp"
#include "schedule/wakeup_tree.hpp"

namespace muster {

struct ReductionConfig {
  static constexpr unsigned no_bound = 1 << 20;
  static constexpr std::size_t whole_sequences = 4096;
  /// Classes none of whose executions has fewer preemptions are left out. With a bound every thread is tried at every
  /// point: what is cut off cannot tell which others are needed.
  unsigned preemptions = no_bound;
  /// Sleep sets alone: every thread is tried at every point, and executions that repeat a class end asleep. Needs
  /// nothing to be known about what a step would touch after a race was reversed.
  bool every_thread = true;
  std::size_t kept_of_a_sequence = 1;  // 1: source sets

  static ReductionConfig with_bound(unsigned preemptions) {
    return {.preemptions = preemptions < no_bound ? preemptions : no_bound};
  }
};

class ReductionStrategy final : public Strategy {
 public:
  explicit ReductionStrategy(ReductionConfig config) : config_(config) {}

  bool begin_execution(Schedule& schedule) override;
  std::uint8_t decide(const Point& point) override;
  void end_execution(const Schedule& schedule, Ending ending) override;
  bool reduces() const override { return true; }
  bool begin_transition(ThreadId thread) override;
  void accessed(const Access& access) override;
  void waits(ThreadId thread, const Access& access) override;
  double share_done(const Schedule& schedule) const override;
  bool cut_by_preemptions() const override { return cut_by_preemptions_; }

  /// The number of the transition that is made now.
  TransitionIndex transition() const { return begun_ - 1; }
  /// What threads waited for at the end of the execution, and others had taken.
  struct Waiting {
    ThreadId thread;
    Access access;
  };
  std::span<const Waiting> waiting() const { return waiting_; }

  /// The execution that just ended, or goes on: its transitions and their order.
  const CausalOrder& order() const { return order_; }

  /// Executions that ended where all that could step was known from elsewhere.
  std::uint64_t asleep() const { return asleep_; }

 private:
  struct Sleeper {
    ThreadId thread;
    std::shared_ptr<const Footprint> footprint;
  };
  /// Where a transition begins.
  struct State {
    std::uint64_t enabled = 0;
    ThreadId first_option = 0;
    ThreadId current = 0;   // whose transition is explored now
    bool decided = false;   // there was more than one option
    bool expanded = false;  // every option is or will be explored
    bool shortened =
        false;  // not all that is needed from here on was told: sleepers that were not explored here say nothing
    bool chooses = false;        // in the current transition values are chosen
    unsigned finished = 0;       // options that were explored: the last sleepers
    Footprint seen;              // of the current transition, with other values chosen
    std::vector<Sleeper> sleep;  // known from elsewhere, those explored here included
    WakeupForest forest;         // to be explored
  };
  /// A decision of the schedule.
  struct Node {
    TransitionIndex transition;
    bool value;
  };

  State& new_state(std::uint64_t enabled, ThreadId first_option);
  bool too_many_preemptions();
  static bool sleeps(const State& state, ThreadId thread);
  static std::uint8_t index_of(const State& state, ThreadId thread);
  void expand(State& state);
  std::optional<ThreadId> guided(State& state);
  std::optional<ThreadId> choose(State& state, std::span<const Option> options);
  bool backtrack(Schedule& schedule);
  void resume_at(TransitionIndex transition, std::size_t nodes, Schedule& schedule);
  bool next_thread(State& state, Decision& decision);
  void reverse(const Race& race);
  bool known_from_elsewhere(const State& state, const Race& race) const;
  Footprint footprint_of(TransitionIndex transition, const Race& race) const;

  ReductionConfig config_;
  CausalOrder order_;
  std::vector<State> states_;  // the first `depth_` are in use
  std::uint32_t depth_ = 0;
  std::vector<Node> nodes_;
  WakeupForest next_;  // what the state after the current transition shall explore
  bool next_shortened_ = false;
  std::vector<Race> races_;
  std::vector<TransitionIndex> independent_;  // of the earlier transition of the race at hand, and after it
  std::uint32_t repeated_ = 0;                // transitions of the last execution that this one repeats
  std::uint32_t begun_ = 0;                   // transitions of this execution
  std::vector<Waiting> waiting_;
  std::uint64_t asleep_ = 0;
  bool started_ = false;
  bool cut_by_preemptions_ = false;
};

}  // namespace muster
