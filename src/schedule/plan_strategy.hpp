#pragma once
// Follows a plan: each thread runs up to the event that the plan names. Events are counted by whoever sees all of them, plain accesses
// included, and told here; the strategy then knows whose turn it is wherever a decision comes up.

#include <array>
#include <optional>
#include <vector>

#include "base/plan.hpp"
#include "schedule/strategy.hpp"

namespace muster {

class PlanStrategy final : public Strategy {
 public:
  /// Throws Error if the plan speaks of a thread that nobody makes.
  explicit PlanStrategy(const Plan& plan);

  bool begin_execution(Schedule& schedule) override;
  void rewind() override { done_ = false; }
  std::uint8_t decide(const Point& point) override;

  /// The thread is making another one, with its next event.
  void forked(ThreadId parent, ThreadId child);
  /// The thread executed one more event: its number, counted from 0.
  std::uint32_t executed(ThreadId thread) { return counts_[thread]++; }
  /// Whether the thread stands where its turn ends: somebody else shall go on before its next event.
  bool stands_at_end_of_turn(ThreadId thread);

  /// Which thread of the plan a model thread is; nothing if none.
  std::optional<std::uint32_t> planned(ThreadId thread) const;
  std::uint32_t number_of(const std::string& name) const;

  /// Whether every turn came to its end.
  bool finished() { return (skip_finished_turns(), turn_ == turns_.size()); }
  /// Whether at some time the thread whose turn it was could not go on.
  bool obstructed() const { return obstructed_; }

 private:
  struct Turn {
    std::uint32_t thread;
    std::uint64_t events;
  };
  struct Fork {
    std::uint32_t child, parent;
    std::uint64_t event;
  };
  static constexpr ThreadId unknown = no_thread;

  void skip_finished_turns();
  std::uint8_t go_on_fairly(const Point& point);

  std::vector<std::string> names_;  // of the plan's threads; the first is the one that runs the program's body
  std::vector<Turn> turns_;
  std::vector<Fork> forks_;

  bool done_ = false;

  // The state of one execution: begin_execution sets all of it.
  std::size_t turn_ = 0;
  std::vector<ThreadId> model_;  // by thread of the plan
  std::array<std::uint32_t, max_threads> counts_{};
  bool obstructed_ = false;
  ThreadId last_running_ = no_thread;
  unsigned run_length_ = 0;
};

}  // namespace muster
