#pragma once
// A plan says which thread runs up to which of its events, turn by turn. It names events of a run that was recorded,
// not scheduling decisions: a strategy follows it, and the execution that results has a schedule of its own.
//
//   # read-write-write on balance
//   @memory bank+0x4010
//   @fork T1 T0 3 bank.cpp:70
//   @fork T2 T0 4 bank.cpp:70
//   @access T1 41 read bank.cpp:31 #2
//   @access T2 16 write bank.cpp:58
//   @access T1 59 write bank.cpp:36
//   T0 5 bank.cpp:70 #2
//   T1 42 bank.cpp:31
//   T2 17 bank.cpp:58
//   T1 60 bank.cpp:36
//
// Events are told by their number in their thread, which another order may change, and by their place: `#2` is the
// second event of its kind that the thread makes there. A plan about a deadlock has waits instead of accesses:
//
//   @wait T1 12 bank.cpp:41
//   @wait T2 9 bank.cpp:41

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// `thread` runs until it has executed `events` of its events; the last of them is at `location` (may be empty), the
/// `nth` event there that is no access.
struct PlanTurn {
  std::string thread;
  std::uint64_t events = 0;
  std::string location;
  std::uint32_t nth = 1;

  bool operator==(const PlanTurn&) const = default;
};

/// `child` is the thread that `parent` makes with its event number `event`, counted from 0.
struct PlanFork {
  std::string child, parent;
  std::uint64_t event = 0;
  std::string location;

  bool operator==(const PlanFork&) const = default;
};

/// One of the accesses that the plan is about: event number `event` of a thread, its `nth` read, or write, at
/// `location`.
struct PlanAccess {
  std::string thread;
  std::uint64_t event = 0;
  bool write = false;
  std::string location;
  std::uint32_t nth = 1;

  bool operator==(const PlanAccess&) const = default;
};

/// One of the threads that wait for each other: with event number `event` it would take a lock that the next one holds,
/// the last of them one that the first holds. It is the thread's `nth` attempt to do so at `location`.
struct PlanWait {
  std::string thread;
  std::uint64_t event = 0;
  std::string location;
  std::uint32_t nth = 1;

  bool operator==(const PlanWait&) const = default;
};

struct Plan {
  std::string about;           // one line
  std::string memory;          // where the accesses' memory lies, "module+0x123", if in a module's data
  bool only = false;           // these threads and this memory, not others at the same places
  bool whole_threads = false;  // each thread is one transaction, whatever it marks
  std::vector<PlanFork> forks;
  std::vector<PlanAccess> accesses;  // to be seen in this order, on the same memory
  std::vector<PlanWait> waits;
  std::vector<PlanTurn> turns;

  bool operator==(const Plan&) const = default;
};

std::string to_text(const Plan& plan);

/// Reads what `to_text` wrote; `name` is said in errors ("bank.plan:3: …").
Plan parse_plan(std::string_view text, std::string_view name = "plan");

}  // namespace muster
