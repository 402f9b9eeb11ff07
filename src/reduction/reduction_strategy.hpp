#pragma once
// One complete execution of each class: executions that differ only in the order of transitions that commute are the
// same one. Sleep sets (Godefroid 1996) see to that; source sets (Abdulla, Aronis, Jonsson, Sagonas, "Source Sets",
// JACM 2017, Algorithm 1) leave out most executions that would only end asleep, by trying just those threads that
// reverse a race. Memory is what one execution needs. For source sets to be sound, which objects a transition touches
// must not depend on whether a race was reversed: what else its thread does then is a transition of its own, or
// declared always.

#include <memory>

#include "base/key_table.hpp"
#include "reduction/branch_pool.hpp"
#include "reduction/causal_order.hpp"
#include "reduction/footprint.hpp"
#include "reduction/reducer.hpp"
#include "reduction/retry_table.hpp"
#include "reduction/without_retry.hpp"
#include "schedule/branch_sizes.hpp"
#include "schedule/strategy.hpp"

namespace muster {

struct ReductionConfig {
  static constexpr unsigned no_bound = 1 << 20;
  /// Classes none of whose executions has fewer preemptions are left out. With a bound every thread is tried at every
  /// point: what is cut off cannot tell which others are needed.
  unsigned preemptions = no_bound;
  /// Sleep sets alone: every thread is tried at every point. The reference for source sets.
  bool every_thread = false;
  /// Threads whose failed attempts left nothing behind are given up.
  bool cut_retries = true;
  Symmetry symmetry = Symmetry::none;

  static ReductionConfig with_bound(unsigned preemptions) {
    return {.preemptions = preemptions < no_bound ? preemptions : no_bound};
  }
};

class ReductionStrategy final : public Strategy, public Reducer, public Traversal {
 public:
  /// With a pool, part of the tree is shared: then the search is that of one job after the other.
  explicit ReductionStrategy(ReductionConfig config, BranchPool* pool = nullptr) : config_(config), pool_(pool) {}
  void begin_job(BranchJob job);

  bool begin_execution(Schedule& schedule) override;
  std::uint8_t decide(const Point& point) override;
  void end_execution(const Schedule& schedule, Ending ending) override;
  Manners manners() const override { return {.begins_again = true}; }
  Reducer* reducer() override { return this; }
  Traversal* traversal() override { return this; }
  Symmetry symmetry() const override { return confirming_ ? Symmetry::none : config_.symmetry; }
  bool begin_transition(ThreadId thread) override;
  bool has_seen_enough(ThreadId thread) override;
  void goes_on_after(std::uint32_t transitions) override;
  /// An execution that settles a doubt is none of the search's: nothing comes back to its own decisions.
  std::optional<Return> comes_back() const override {
    const unsigned most = confirming_ ? 0 : ReductionConfig::no_bound;
    return Return{kept_, most, most};
  }
  void accessed(const Access& access) override;
  void waits(ThreadId thread, const Access& access) override;
  void arrives(const Arrival& arrival, StateHash state) override;
  void tries_again(bool same) override { gives_up_ = same && config_.cut_retries; }
  void comes_round(std::uint32_t transitions) override;
  std::uint64_t state_after(std::uint64_t sight, StateHash state) override { return states_after_.get(sight, state); }
  double share_done(const Schedule& schedule) const override;
  LeftOut left_out() const override { return {.preemptions = cut_by_preemptions_}; }
  bool can_pause() const override { return doubts_.empty() && !confirming_; }
  /// The job shall not be gone on with here: gives away all that is left of it. False if there was no room.
  bool give_up_job(const Schedule& schedule);
  /// Nobody works at the job any more, whether or not anything is left of it.
  void end_job();

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
    const Footprint* footprint;  // kept by the state where the thread was explored
  };
  /// Where a transition begins.
  struct State {
    std::uint64_t enabled = 0;
    ThreadId first_option = 0;
    ThreadId current = 0;                              // whose transition is explored now
    bool decided = false;                              // there was more than one option
    bool expanded = false;                             // every option is or will be explored
    unsigned finished = 0;                             // options that were explored: the last sleepers
    Footprint seen;                                    // of the current transition, with other values chosen
    std::vector<Sleeper> sleep;                        // known from elsewhere, those explored here included
    std::uint64_t asleep = 0;                          // their threads
    std::vector<std::unique_ptr<Footprint>> explored;  // of the latter
    std::uint64_t to_explore = 0;                      // threads
    std::uint64_t fruitful = 0;                        // threads explored here, but for those
    std::uint64_t vain = 0;                            // that only found that they had tried in vain
    std::vector<std::uint64_t> wanted;                 // one of these threads, to reverse a race
    BranchNode node = no_node;                         // in the pool: others may explore here, too
  };
  struct Doubt;
  /// A decision of the schedule.
  struct Node {
    TransitionIndex transition;
    PointKind kind;
  };

  static constexpr std::uint64_t bit(unsigned thread) { return std::uint64_t{1} << thread; }
  State& new_state(std::uint64_t enabled, ThreadId first_option);
  static void add_sleeper(State& state, const Sleeper& sleeper);
  void let_sleep(State& state, ThreadId thread, Footprint& footprint);
  bool too_many_preemptions();
  /// Whether what was explored last, or is under way, only found that its thread had tried in vain, so far.
  static bool in_vain_so_far(const State& state) { return !(state.fruitful & bit(state.current)); }
  static bool sleeps(const State& state, ThreadId thread) { return state.asleep & bit(thread); }
  static std::uint8_t index_of(const State& state, ThreadId thread);
  static void expand(State& state);
  std::optional<ThreadId> next_to_explore(State& state);
  bool backtrack(Schedule& schedule);
  bool settle_doubts(Schedule& schedule);
  void look_without_retry(Doubt& doubt, Schedule& schedule);
  void resume_at(TransitionIndex transition, std::size_t nodes, Schedule& schedule);
  bool take_next_option(const Node& node, Decision& decision);
  bool next_thread(TransitionIndex transition, Decision& decision);
  void reverse(const Race& race);
  static void want(State& state, std::uint64_t threads);
  static void look_further(State& state);
  void repeat_transition(ThreadId thread);
  Footprint first_transition(TransitionIndex transition) const;
  bool has_untried_values(TransitionIndex transition, const Schedule& schedule) const;
  void tell_part();
  bool is_open(std::size_t node, const Schedule& schedule) const;
  void share_if_asked(const Schedule& schedule);
  bool share_up_to(std::size_t last, const Schedule& schedule);
  bool share_node(std::size_t number, const Schedule& schedule);
  bool share_threads(NewBranchNode& shared, TransitionIndex transition, const Schedule& schedule);
  bool share_values(NewBranchNode& shared, TransitionIndex transition, const Decision& decision);
  std::uint64_t initials(const Race& race) const;
  bool ends_in_vain(const Schedule& schedule) const;

  ReductionConfig config_;
  BranchPool* pool_;
  BranchJob job_;
  bool repeating_path_ = false;   // of the job
  std::size_t shared_nodes_ = 0;  // the first ones: others see to their other options
  BranchNode last_shared_ = no_node;
  std::uint32_t last_branch_ = 0;  // of that node, on the current path
  /// A branch of which others wait to know what its first transition touches: this search has part of the answer.
  struct Owed {
    BranchNode node = no_node;
    std::uint32_t branch = 0;
    TransitionIndex transition = 0;
  };
  std::optional<Owed> owed_;
  BranchSizes sizes_;
  unsigned looks_away_ = 0;  // for so many executions: what it could give away is too small
  CausalOrder order_;
  std::vector<State> states_;  // the first `depth_` are in use
  std::uint32_t depth_ = 0;
  std::vector<std::unique_ptr<Footprint>> spare_;  // to be used again
  std::vector<Node> nodes_;
  std::vector<Race> races_;
  std::uint32_t repeated_ = 0;  // transitions of the last execution that this one repeats
  std::uint32_t begun_ = 0;     // transitions of this execution
  std::uint32_t kept_ = 0;      // leading decisions that it shares with the one before
  std::vector<Waiting> waiting_;
  RetryTable retries_;
  KeySet retried_at_;      // where threads arrived after failed attempts
  KeyMemo states_after_;   // of threads, by what they saw
  bool gives_up_ = false;  // the thread that arrived
  bool in_vain_ = false;   // the execution that just ended made its last transition
  /// A thread was given up because of a claim that nobody looked at yet.
  struct Doubt {
    RetryTable::Claim claim;
    std::uint32_t node;  // where it was given up
    WithoutRetry without;
    bool looked_at = false;
  };
  std::vector<Doubt> doubts_;  // of this execution
  bool confirming_ = false;    // this execution is not of the search: it settles a doubt
  WithoutRetry* confirmed_ = nullptr;
  std::vector<Decision> searched_;  // the search's last schedule, meanwhile
  std::uint32_t in_common_ = ~0u;  // leading decisions that executions which settled doubts since had in common with it
  std::uint64_t asleep_ = 0;
  bool started_ = false;
  bool cut_by_preemptions_ = false;
};

}  // namespace muster
