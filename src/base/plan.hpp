#pragma once
// A plan says which thread runs up to which of its events, turn by turn. It names events of a run that was recorded,
// not scheduling decisions: a strategy follows it, and the execution that results has a schedule of its own.
//
//   # read-write-write on balance
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

struct Plan {
  std::string about;  // one line
  std::vector<PlanTurn> turns;

  bool operator==(const Plan&) const = default;
};

std::string to_text(const Plan& plan);

/// Reads what `to_text` wrote; `name` is said in errors ("bank.plan:3: …").
Plan parse_plan(std::string_view text, std::string_view name = "plan");

}  // namespace muster
