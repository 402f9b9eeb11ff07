#pragma once
// A pass over one program that belongs to one worker, and that others join while they have nothing else to do. What is
// shared lies in shared memory. In a depth-first pass a job is an interval of the order in which one worker would make
// all executions, so of two executions that end the search the one that comes first is known, and what lies after it is
// no longer looked at: the result is the one of a single worker. A reduced pass has no such order: what ends it ends
// it.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "reduction/reduction_strategy.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "search/job_board.hpp"
#include "search/search.hpp"
#include "search/shared_tree.hpp"

namespace muster {

/// Whether `a` comes before `b` in the order of a depth-first search. A schedule comes before those that go on from it.
bool comes_before(std::span<const Decision> a, std::span<const Decision> b);

/// Lies in shared memory.
class SharedPass {
 public:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};

  // ---- its owner ----

  /// What is searched from now on, in passes that follow; `nothing` once it was searched.
  void set_subject(std::uint64_t subject);
  void begin(DepthFirstBounds bounds);
  /// The same, reduced to classes.
  void begin_reduced(DepthFirstBounds bounds);
  /// From now on it is worth joining.
  void invite() { __atomic_store_n(&inviting_, true, __ATOMIC_RELEASE); }
  /// Waits for the others to leave.
  void end() { work().close(); }

  // ---- others ----

  std::uint64_t subject() const { return __atomic_load_n(&subject_, __ATOMIC_ACQUIRE); }
  bool inviting() const { return __atomic_load_n(&inviting_, __ATOMIC_ACQUIRE); }
  /// Waits for a pass over `subject` after number `last`, and joins it; 0 if there will be none.
  unsigned join(std::uint64_t subject, unsigned last);
  /// How many have joined passes over this subject.
  unsigned helpers() const { return __atomic_load_n(&helpers_, __ATOMIC_ACQUIRE); }
  void count_helper() { __atomic_fetch_add(&helpers_, 1, __ATOMIC_ACQ_REL); }

  // ---- everybody ----

  const DepthFirstBounds& bounds() const { return bounds_; }
  bool is_reduced() const { return reduced_; }
  /// Who works at it, whatever the kind of search.
  SharedWork& work() { return reduced_ ? static_cast<SharedWork&>(tree) : board; }

  /// What the execution with these decisions shows ends the search, or is to be told. Of each, the first one in the
  /// order counts.
  enum class Find { ends, tells };
  void found_at(std::span<const Decision> decisions, Find find);
  bool found(Find find) const { return __atomic_load_n(&found_[static_cast<int>(find)], __ATOMIC_ACQUIRE); }
  std::vector<Decision> first_found(Find find);
  /// Whether nothing from here on counts, because of what ends the search.
  bool is_beyond(std::span<const Decision> decisions);

  JobBoard board;   // of a depth-first search
  SharedTree tree;  // of a reduced one
  bool learned = false, out_of_time = false;
  bool cut_by_preemptions = false, cut_by_late_yields = false;

 private:
  void lock();
  void unlock();
  void begin_pass(DepthFirstBounds bounds, bool reduced);

  bool reduced_ = false;
  std::uint64_t subject_ = nothing;
  unsigned number_ = 0;
  unsigned helpers_ = 0;
  bool inviting_ = false;
  DepthFirstBounds bounds_;
  int locked_ = 0;
  bool found_[2] = {};
  Schedule first_[2];
};

/// What one process does for such passes over one subject.
class PassWorker {
 public:
  struct Place {
    Engine& engine;
    Journal& journal;
    const Program& program;
    Task& task;
    SearchLimits limits;
    Interruption& interruption;
    Counters& counters;              // of the job under way, for whoever looks on
    std::uint64_t invite_after = 0;  // so many executions; 0: never
  };
  using Jobs = std::vector<std::vector<Decision>>;

  /// `after_job` is called between jobs.
  PassWorker(SharedPass& pass, Place place, std::function<void()> after_job)
      : pass_(pass), place_(place), after_job_(std::move(after_job)) {}

  /// The owner's part of a pass: from the jobs that an earlier process left, or from the root.
  void run(Jobs jobs);
  /// Another worker's part of it, from what is left on the board.
  void help();

  /// The same of a reduced pass, by a strategy that shares its tree: the whole one, or what an earlier process left of
  /// it. What is left in the end is in the tree.
  void run_reduced(ReductionStrategy& strategy, const std::vector<std::string>& left);
  void help_reduced(ReductionStrategy& strategy);

  /// Counts of all jobs of the pass that lie before what ended it.
  Counters settle();
  /// Jobs that were given up, and those that nobody began: what is left of a pass that was stopped.
  Jobs take_rest();

 private:
  class Sharing;
  class SharingReduced;
  struct Done {
    std::vector<Decision> start;
    Counters counters;
  };
  void run_job(const std::vector<Decision>& job);
  void run_reduced_job(ReductionStrategy& strategy, BranchJob job);
  void count_execution();
  void note_end(SearchEnd end);
  void keep_rest_of_job();

  SharedPass& pass_;
  Place place_;
  std::function<void()> after_job_;
  std::vector<Done> done_;
  std::uint64_t executions_ = 0;
  Jobs own_jobs_;  // not begun
  Jobs rest_;
};

}  // namespace muster
