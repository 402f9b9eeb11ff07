#pragma once
// Follows a plan: each thread runs up to the event that the plan names. Events are counted by whoever sees all of them,
// plain accesses included, and told here; the strategy then knows whose turn it is wherever a decision comes up.

#include <array>
#include <vector>

#include "schedule/plan_threads.hpp"
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
  void forked(ThreadId parent, ThreadId child) { threads_.forked(parent, counts_[parent], child); }
  /// The thread executed one more event: its number, counted from 0.
  std::uint32_t executed(ThreadId thread) { return counts_[thread]++; }
  /// Whether the thread stands where its turn ends: somebody else shall go on before its next event.
  bool stands_at_end_of_turn(ThreadId thread);

  const PlanThreads& threads() const { return threads_; }

 private:
  struct Turn {
    std::uint32_t thread;
    std::uint64_t events;
  };

  void skip_finished_turns();
  std::uint8_t go_on_fairly(const Point& point);

  PlanThreads threads_;
  std::vector<Turn> turns_;
  bool ends_stuck_;  // it is about threads that wait for each other

  bool done_ = false;

  // The state of one execution: begin_execution sets all of it.
  std::size_t turn_ = 0;
  std::array<std::uint32_t, max_threads> counts_{};
  ThreadId last_running_ = no_thread;
  unsigned run_length_ = 0, past_end_ = 0;
};

}  // namespace muster
