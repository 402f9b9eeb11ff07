#pragma once
// Phase 2 of one test: explores its concurrent executions, with growing bounds or reduced to classes.

#include "check/check_test.hpp"
#include "check/concurrent_recorder.hpp"
#include "search/subject_search.hpp"

namespace muster {

/// What a recorder has found out beside histories.
void take(TestResult& result, Recorder& recorder);
void out_of_time(TestResult& result);

class ConcurrentPhase final : private SubjectSearch {
 public:
  ConcurrentPhase(CheckBench& bench, const Program& program, ConcurrentRecorder& recorder, TestResult& result);

  /// The search, for the worker that has the test.
  void run();
  /// Part of it, for one that has nothing else to do: `sites` are those of the worker that has the test. False if it
  /// came too late.
  bool run_part(RacySites& sites);

 private:
  void begins_reduced(const ReductionStrategy& strategy) override { recorder_.watch(strategy); }
  void ends_reduced() override;
  void begins_again() override { own_find_.reset(); }
  void after_job() override;
  bool ends_search() override;
  void stopped() override;
  void helped() override;
  bool run_pass(DepthFirstBounds bounds) override;

  void run_passes();
  void tell_reduced_find();
  bool realise();
  void search_plainly();
  void run_random();
  void run_replay();
  bool run_recorded_pass();
  bool follow_predictions();
  bool run_again(Strategy& strategy);
  static constexpr std::uint64_t every_execution = ~std::uint64_t{0};
  SearchEnd run_search(Strategy& strategy, std::uint64_t executions = every_execution);
  bool predicts() const { return bench_.options.strategy.kind == StrategyKind::predict; }
  bool take_finds();
  ConcurrentRecorder show_again(const std::vector<Decision>& decisions);
  void finish(unsigned bound);

  CheckBench& bench_;
  ConcurrentRecorder& recorder_;
  TestResult& result_;
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
