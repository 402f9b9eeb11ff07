#pragma once
// Phase 2 of one test: explores its concurrent executions, with growing bounds or reduced to classes.

#include "check/check_test.hpp"
#include "check/concurrent_recorder.hpp"

namespace muster {

/// What a recorder has found out beside histories.
void take(TestResult& result, Recorder& recorder);
void out_of_time(TestResult& result);

class ConcurrentPhase {
 public:
  ConcurrentPhase(CheckBench& bench, Columns& columns, ConcurrentRecorder& recorder, TestResult& result);

  /// The search, for the worker that has the test.
  void run();
  /// Part of it, for one that has nothing else to do: `sites` are those of the worker that has the test. False if it
  /// came too late.
  bool help(RacySites& sites);

 private:
  void run_depth_first();
  void run_reduction();
  ReductionConfig reduction_with(unsigned bound) const;
  bool run_reduced_pass(unsigned bound);
  void help_reduced();
  void realise();
  void run_random();
  void run_replay();
  bool run_recorded_pass();
  bool follow_predictions();
  bool run_again(Strategy& strategy);
  bool run_pass(DepthFirstBounds bounds);
  static constexpr std::uint64_t every_execution = ~std::uint64_t{0};
  SearchEnd run_search(Strategy& strategy, std::uint64_t executions = every_execution);
  void look_at_job();
  void take_finds();
  ConcurrentRecorder show_again(const std::vector<Decision>& decisions);
  void keep_rest(DepthFirstBounds bounds);
  void take_over(const SearchRest& rest);
  void finish(unsigned bound);

  CheckBench& bench_;
  Columns& columns_;
  ConcurrentRecorder& recorder_;
  TestResult& result_;
  Program program_;
  Counters counters_;
  PassWorker worker_;
  PassWorker::Jobs resumed_;
  std::vector<std::string> resumed_tree_;
  struct OwnFind {
    std::vector<Decision> decisions;
    std::optional<Failure> failure;
    std::string undecided;
  };
  std::optional<OwnFind> own_find_;  // the first execution that ended a job of this process
  // Where all histories are told: the first failure of the pass under way, and of all passes before it.
  std::optional<Failure> first_failure_, told_failure_;
};

}  // namespace muster
