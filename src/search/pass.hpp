#pragma once
// One pass of an exploration, as its workers and their parent see it: all of it lies in shared memory.

#include <vector>

#include "search/job_board.hpp"
#include "search/search.hpp"
#include "search/shared_tree.hpp"

namespace muster {

/// What the workers of one pass share with the parent and each other.
struct Pass {
  JobBoard board;                 // of a depth-first search
  SharedTree tree;                // of a reduced one
  std::uint64_t next_number = 0;  // of a random search's executions
  bool learned = false;
  bool out_of_time = false;
  bool stopped = false;  // by a task

  void stop() {
    board.stop();
    tree.stop();
  }
};

/// One worker's own part of the shared memory.
struct Seat {
  Journal journal;
  Counters counters;
  bool warmed_up = false;
  bool has_job = false;
  unsigned set_ups = 0;     // of its journal, when the pass began
  bool unfinished = false;  // the job it had was given up between two executions
};

class Sharing final : public Interruption {
 public:
  explicit Sharing(Pass& pass) : pass_(pass) {}
  bool go_on(Strategy& strategy, Schedule& schedule) override {
    if (pass_.board.stopped()) return false;
    if (Traversal* const traversal = strategy.traversal(); traversal && pass_.board.hungry()) {
      if (auto job = traversal->split(schedule)) {
        if (!pass_.board.post(*job)) take_back(schedule, *job);
      }
    }
    return true;
  }

 private:
  /// The board was full: the work stays here.
  static void take_back(Schedule& schedule, const std::vector<Decision>& job) {
    schedule[static_cast<std::uint32_t>(job.size() - 1)].limit = job.back().limit;
  }
  Pass& pass_;
};

}  // namespace muster
