#pragma once
// Finds a schedule where more than two threads are entangled: a third one has to act in the middle of the pattern,
// because the two are ordered through it. Searches the positions of all threads, depth first, up to a small number of
// states.

#include <absl/container/flat_hash_set.h>

#include <optional>
#include <vector>

#include "predict/pair_search.hpp"
#include "predict/windows.hpp"

namespace muster::predict {

class WideSearch {
 public:
  WideSearch(const SyncIndex& index, const Segments& segments, std::size_t most_states = 20'000)
      : index_(index), most_states_(most_states), windows_(index, segments) {}

  /// Continues from where every thread has executed `executed` events, a place that can be reached, and lets no thread
  /// other than the two run beyond `limits`.
  std::optional<std::vector<Turn>> search(const Prediction& prediction, const std::vector<std::uint32_t>& executed,
                                          const std::vector<std::uint32_t>& limits);

 private:
  /// Positions of all threads; the last entry tells whether the access between happened.
  using State = Windows::State;

  std::uint32_t stop(std::uint32_t thread, std::uint32_t limit) const;
  bool can_step(const State& state, std::uint32_t thread) const;
  bool walk(const State& state, std::uint32_t last_moved);
  bool try_move(const State& state, std::uint32_t thread);
  bool try_pass(const State& state);

  const SyncIndex& index_;
  std::size_t most_states_;
  Windows windows_;
  Prediction prediction_{};
  std::uint32_t first_ = 0, between_ = 0, last_ = 0;  // positions at which the three accesses happen
  absl::flat_hash_set<State> seen_;
  std::vector<Turn> turns_;
};

}  // namespace muster::predict
