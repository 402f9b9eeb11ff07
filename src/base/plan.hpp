#pragma once
// A plan says which thread runs up to which of its events, turn by turn. It names events of a run that was recorded,
// not scheduling decisions: a strategy follows it, and the execution that results has a schedule of its own.
//
//   # read-write-write on balance
//   @fork T1 T0 3
//   @fork T2 T0 4
//   @access T1 41 read bank.cpp:31
//   @access T2 16 write bank.cpp:58
//   @access T1 59 write bank.cpp:36
//   T0 5 bank.cpp:70
//   T1 42 bank.cpp:31
//   T2 17 bank.cpp:58
//   T1 60 bank.cpp:36

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// `thread` runs until it has executed `events` of its events; the last of them is at `location` (may be empty).
struct PlanTurn {
  std::string thread;
  std::uint64_t events = 0;
  std::string location;

  bool operator==(const PlanTurn&) const = default;
};

/// `child` is the thread that `parent` makes with its event number `event`, counted from 0.
struct PlanFork {
  std::string child, parent;
  std::uint64_t event = 0;

  bool operator==(const PlanFork&) const = default;
};

/// One of the accesses that the plan is about: event number `event` of a thread.
struct PlanAccess {
  std::string thread;
  std::uint64_t event = 0;
  bool write = false;
  std::string location;

  bool operator==(const PlanAccess&) const = default;
};

struct Plan {
  std::string about;  // one line
  std::vector<PlanFork> forks;
  std::vector<PlanAccess> accesses;  // to be seen in this order, on the same memory
  std::vector<PlanTurn> turns;

  bool operator==(const Plan&) const = default;
};

std::string to_text(const Plan& plan);

/// Reads what `to_text` wrote; `name` is said in errors ("bank.plan:3: …").
Plan parse_plan(std::string_view text, std::string_view name = "plan");

}  // namespace muster
