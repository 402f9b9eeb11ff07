#pragma once
// Where workers of one depth-first search leave work for each other. Lies in shared memory; nothing is explored twice, since a job is taken
// out of its giver's schedule before it is posted.

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace muster {

/// Sleeps 50 microseconds, also where sleeping is trapped.
void short_sleep();

class JobBoard {
 public:
  static constexpr unsigned slots = 32;
  static constexpr unsigned longest_job = 8192;

  /// The search begins with one job, the whole tree.
  void start(unsigned workers);
  /// The same for one worker, which has taken that job already; others may join it.
  void start_alone();

  /// A worker comes; false if there is nothing to join.
  bool join();
  /// It goes, once `take` gave it nothing.
  void leave();
  /// For the worker that started alone, after `take` gave it nothing: waits until it is alone again. Nobody joins from then on.
  void close();

  /// Whether somebody waits for work that is not there: then it is worth splitting.
  bool hungry() const;
  bool post(const std::vector<Decision>& job);

  /// Waits for a job; nothing once there is no more work anywhere, or the search was stopped. An empty job is the whole tree.
  std::optional<std::vector<Decision>> take();

  /// The jobs that nobody has taken; for when nobody works any more.
  std::vector<std::vector<Decision>> remaining() const;
  void take_all() { waiting_jobs_ = 0; }

  /// The job that was taken is finished.
  void done();

  void stop() { __atomic_store_n(&stopped_, true, __ATOMIC_RELEASE); }
  bool stopped() const { return __atomic_load_n(&stopped_, __ATOMIC_ACQUIRE); }

 private:
  void lock();
  void unlock();

  struct Job {
    std::uint32_t size;
    Decision decisions[longest_job];
  };
  int locked_ = 0;
  unsigned workers_ = 0;
  unsigned idle_ = 0;
  unsigned waiting_jobs_ = 0;
  bool stopped_ = false;
  bool open_ = false;
  Job jobs_[slots];
};

}  // namespace muster
