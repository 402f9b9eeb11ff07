#pragma once
// One execution: what it came to, what of it must survive its process, and all that changes while it runs.

#include <cstdint>
#include <optional>

#include "base/event.hpp"
#include "base/tally.hpp"
#include "schedule/schedule.hpp"
#include "schedule/strategy.hpp"

namespace muster {

struct Thread;

/// What of an execution must survive its process.
struct Journal {
  Schedule schedule;
  std::uint64_t steps = 0;  // only ever grows: a watchdog sees that something moves
  std::uint64_t executions = 0;
  unsigned set_ups = 0;  // executions that were not repeated because a library had set itself up
  bool in_execution = false;
  bool serial = false;  // threads are switched between operations only
  ThreadId running = no_thread;
  SiteId fault_site = 0;  // where user code faulted, if it did
  std::uint64_t fault_address = 0;
  long escaped_call = -1;  // the system call that no interposer caught

  /// For signal handlers: the process will not survive this.
  void note_fault(SiteId site, std::uint64_t address) {
    fault_site = site;
    fault_address = address;
  }
  void note_escaped_call(SiteId site, long call) {
    fault_site = site;
    escaped_call = call;
  }
};

struct Execution : OwnCounts<std::uint32_t> {
  Ending ending;
  unsigned preemptions = 0;
  unsigned late_yields = 0;
  bool livelock = false;  // stuck, but by spinning
  bool learned = false;   // a racy site or a shared stack: executions before this one did not take it into account
  bool expired = false;   // a timed wait reached its deadline
  std::optional<std::uint32_t> diverged_at;  // what was recorded was repeated up to here
};

/// The state of one execution: start_execution sets all of it.
struct ExecutionState {
  Thread* current_ = nullptr;
  std::uint64_t ready_ = 0;      // threads that can step
  std::uint64_t timed_ = 0;      // blocked threads that may expire
  std::uint64_t held_back_ = 0;  // ready threads that spin
  std::uint64_t pending_ = 0;    // threads inside an operation
  std::uint64_t internal_ = 0;   // threads of the object under test
  std::uint64_t alive_ = 0;      // threads that have not ended
  std::uint32_t steps_ = 0;
  std::uint32_t step_limit_ = 0;
  std::uint32_t position_ = 0;  // in the schedule
  std::uint32_t replayed_ = 0;  // decisions to repeat
  unsigned thread_count_ = 0;
  unsigned spurious_left_ = 0;
  unsigned locks_left_ = 0;        // that threads ended with
  std::uint64_t writes_ = 0;       // visible writes so far
  std::uint32_t last_write_ = 0;   // the step of the last of them
  std::uint32_t last_change_ = 0;  // the same without plain writes that were not looked at
  ThreadId alone_ = no_thread;     // all spin, and this one was chosen to go on
  struct Circle {
    std::uint64_t own_state = 0, memory = 0;
  };
  Circle circle_;  // where the thread that runs alone was at its last power of two of turns
  Execution result_{};
};

}  // namespace muster
