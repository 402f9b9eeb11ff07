#pragma once
// What one process does for passes over one subject: jobs of its own, then those that others gave away.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reduction/reduction_strategy.hpp"
#include "search/sampling.hpp"
#include "search/slot.hpp"
#include "search/strategy_config.hpp"

namespace muster {

class PassWorker {
 public:
  struct Place {
    Engine& engine;
    WorkerSlot& slot;
    const Program& program;
    Task& task;
    const StrategyConfig& strategy;
    std::chrono::steady_clock::time_point deadline;
    Interruption& interruption;
    std::uint64_t invite_after = 0;  // so many executions; 0: never
  };
  using Jobs = std::vector<std::vector<Decision>>;

  /// `after_job` is called between jobs.
  PassWorker(SharedPass& pass, Place place, std::function<void()> after_job);

  /// The owner's part of a pass: from the jobs that an earlier process left, or from the root.
  void run(const Jobs& left);
  /// Only what is drawn before anything else.
  void run_drawn();
  /// Another worker's part of it, from what is left on the board.
  void help();

  /// The same of a reduced pass, by a strategy that shares its tree: the whole one, or what an earlier process left of
  /// it. What is left in the end is in the tree.
  void run_reduced(ReductionStrategy& strategy, const std::vector<std::string>& left);
  void help_reduced(ReductionStrategy& strategy);

  /// Adds what the jobs of the pass have counted, if they lie before what ended it.
  void settle(Counters& made);
  /// Of the pass that was run last: what was found was drawn beside it.
  bool found_by_drawing() const { return found_by_drawing_; }
  /// The passes from here on are given up after so many executions of this worker.
  void allow(std::uint64_t executions) { allowed_ = executions_ + executions; }
  void allow_any() { allowed_ = ~std::uint64_t{0}; }
  bool was_too_long() const { return executions_ >= allowed_; }
  /// Jobs that were given up, and those that nobody began: what is left of a pass that was stopped.
  Jobs take_rest() { return std::exchange(rest_, {}); }

 private:
  class Sharing;
  struct Done {
    std::vector<Decision> start;
    Counters counters;
  };
  bool draw_first();
  void note_drawn(Sampling::Drew drew);
  void run_job(const std::vector<Decision>& job);
  void run_reduced_job(ReductionStrategy& strategy, BranchJob job);
  SearchEnd search_job(Strategy& strategy, Sharing& sharing);
  std::unique_ptr<Strategy> strategy_for(const std::vector<Decision>& job);
  void finish_job(const std::vector<Decision>& job);

  SharedPass& pass_;
  Place place_;
  std::function<void()> after_job_;
  std::vector<Done> done_;
  std::uint64_t executions_ = 0, allowed_ = ~std::uint64_t{0};
  /// Whether this worker, or the whole pass, is to stop.
  class Outside final : public Interruption {
   public:
    explicit Outside(PassWorker& worker) : worker_(worker) {}
    bool go_on(Strategy& strategy, Schedule& schedule) override {
      if (!worker_.place_.interruption.go_on(strategy, schedule)) worker_.pass_.work().stop();
      return !worker_.pass_.work().stopped();
    }

   private:
    PassWorker& worker_;
  };
  Outside outside_;
  Sampling sampling_;
  bool owns_ = false;  // this is the worker that has the subject
  bool found_by_drawing_ = false;
  const Jobs* own_jobs_ = nullptr;
  Jobs rest_;
};

/// What is left of the job that a worker gave up, or in which its process ended. Adds what the bounds leave out there.
PassWorker::Jobs rest_of_job(WorkerSlot& slot, SharedPass& pass);
/// What is left of a pass beside the jobs that workers have: of those its owner began with, and what is on the board.
PassWorker::Jobs rest_of_pass(SharedPass& pass, const PassWorker::Jobs& begun_with);

}  // namespace muster
