#pragma once
// What an execution runs, and under which rules.

#include <cstdint>

#include "schedule/schedule.hpp"

namespace muster {

/// `body(argument)` runs as model thread 0.
struct Program {
  void (*body)(void*);
  void* argument;
  /// A hash of where a thread is, for programs that are interpreted; otherwise its registers and stack tell.
  std::uint64_t (*thread_state)(unsigned thread) = nullptr;
};

enum class HeapPolicy : std::uint8_t {
  quarantine,    // no block is used twice: a use after free is always seen
  reuse,         // a freed block goes to the next allocation of the thread that freed it
  shared_reuse,  // one of the last two freed blocks, whoever freed it, which of them being a decision
};

struct RuntimeOptions {
  HeapPolicy heap = HeapPolicy::quarantine;
  MemoryModel memory_model = MemoryModel::sc;
  bool races = true;            // watch plain accesses: off in an execution that looks for nothing
  bool leaks = true;            // blocks alive at the end are findings
  bool serial = false;          // switch threads only between operations (phase 1 of Line-Up)
  bool early_timeouts = false;  // serial executions too may let a wait expire wherever it would block
  unsigned spurious_failures =
      0;  // weak compare-exchanges, waits and try-locks may fail without a reason, so often an execution
  std::uint32_t step_limit = 200'000;
  std::uint32_t standstill =
      8;                    // steps without a write after which spinning threads are checked for going round in circles
  bool from_start = false;  // every execution begins at its start, also where it could go back to a saved point
  bool planned = false;     // follows a plan: every visible event is a point, and nobody is taken for spinning
  bool clock_points =
      false;  // looking at the clock is a point, as it is under reduction: who looks first sees an earlier time
  bool outlive_faults = false;  // a crash ends the execution, not the process
  bool see_escapes = false;     // calls of code that is not watched are seen however they are made: slow
  unsigned spin_budget = 32;    // fruitless iterations before a spinning thread is held back
};

}  // namespace muster
