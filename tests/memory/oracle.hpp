#pragma once
// All outcomes of a program under RC11, by brute force: all ways through each thread's code with guessed values, all
// reads-from and modification orders that go with them, and the axioms.

#include "memory/graph.hpp"
#include "memory/outcome.hpp"

namespace muster::weak {

struct OracleOptions {
  /// How many turns of loops that leave everything as it was an execution may contain. The machine makes none.
  unsigned silent_turns = 0;
  unsigned most_accesses = 12;                // of a thread
  bool races = false;                         // at w, also of executions that stop where a loop begins
  std::size_t most_combinations = 1'000'000;  // of ways through the threads' code
  std::size_t most_graphs = 200'000;
};

struct OracleAnswer {
  Outcomes outcomes;
  std::set<Race> races;
  bool complete = true;    // no limit was reached
  std::size_t graphs = 0;  // that were looked at
};

OracleAnswer ask_oracle(const Program& program, const OracleOptions& options = {});

}  // namespace muster::weak
