#pragma once
// Where workers of one depth-first search leave work for each other. Lies in shared memory; nothing is explored twice,
// since a job is taken out of its giver's schedule before it is posted.

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/schedule.hpp"
#include "search/shared_heap.hpp"
#include "search/shared_work.hpp"

namespace muster {

/// The execution that a search is in the middle of, and all that comes after it, as a job. Long ones have no place on
/// the board, so what is decided in the same way without being told is left out.
std::vector<Decision> job_under_way(const Schedule& schedule);

class JobBoard : public SharedWork {
 public:
  static constexpr unsigned longest_job = 8192;

  /// The search begins with one job, the whole tree.
  void start(unsigned workers);
  /// The same for one worker, which has taken that job already; others may join it.
  void start_alone();

  /// `executions` are those that it has, about: large jobs are taken first.
  bool post(const std::vector<Decision>& job, double executions = 0);

  /// Waits for a job; nothing once there is no more work anywhere, or the search was stopped. An empty job is the whole
  /// tree.
  std::optional<std::vector<Decision>> take();

  /// The jobs that nobody has taken; for when nobody works any more.
  std::vector<std::vector<Decision>> remaining() const;

 private:
  static constexpr unsigned slots = 1 << 14;
  using Heap = SharedHeap<std::size_t{32} << 20>;
  struct Job {
    float executions;
    Heap::List<Decision> decisions;
  };
  std::vector<Decision> decisions_of(const Job& job) const;

  Job jobs_[slots];  // a heap: the largest one is the first
  Heap heap_;
};

}  // namespace muster
