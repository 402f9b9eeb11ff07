#pragma once
// A concrete interleaving for a predicted deadlock: it brings each thread of the cycle to where it takes the lock that
// the next one holds.

#include <absl/container/flat_hash_set.h>

#include <optional>
#include <string>
#include <vector>

#include "predict/deadlocks.hpp"
#include "predict/pair_search.hpp"
#include "predict/windows.hpp"

namespace muster::predict {

class DeadlockScheduler {
 public:
  DeadlockScheduler(const SyncIndex& index, const Segments& segments, std::size_t most_states = 20'000)
      : index_(index), segments_(segments), most_states_(most_states), windows_(index, segments) {}

  /// The turns, from the start of the run, checked legal; nothing if no order was found.
  std::optional<std::vector<Turn>> schedule(const Cycle& cycle);

 private:
  using State = Windows::State;

  std::vector<std::uint32_t> limits(const Cycle& cycle) const;
  std::optional<std::vector<Turn>> search(const Cycle& cycle, const std::vector<std::uint32_t>& executed,
                                          const std::vector<std::uint32_t>& limits);
  bool walk(const State& state, std::uint32_t last_moved);
  bool try_move(const State& state, std::uint32_t thread);
  bool is_deadlock(const State& state) const;

  const SyncIndex& index_;
  const Segments& segments_;
  std::size_t most_states_;
  Windows windows_;
  Cycle cycle_;
  absl::flat_hash_set<State> seen_;
  std::vector<Turn> turns_;
};

/// Why the turns cannot happen in this order, or do not end with threads that wait for each other; nothing if they can
/// and do.
std::optional<std::string> find_illegal_step(const std::vector<Turn>& turns, const Cycle& cycle,
                                             const SyncIndex& index);

}  // namespace muster::predict
