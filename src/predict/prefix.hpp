#pragma once
// All that has to happen first: every thread runs up to its limit, in the order of the run, in which threads saw what
// they saw. Where that would be too many turns, or a limit is in the way, each runs as far as it gets before the next
// one has its turn.

#include <vector>

#include "predict/pair_search.hpp"

namespace muster::predict {

class Prefix {
 public:
  Prefix(const SyncIndex& index, const Segments& segments, std::vector<std::uint32_t> limits)
      : index_(index), segments_(segments), limits_(std::move(limits)) {}

  /// Whether all of them got there.
  bool run();

  std::vector<Turn> turns() && { return std::move(turns_); }
  const std::vector<std::uint32_t>& executed() const { return executed_; }
  const std::vector<std::uint32_t>& limits() const { return limits_; }

 private:
  void begin();
  bool run_in_order();
  bool run_by_thread();
  bool run_thread(std::uint32_t thread);
  bool run_silent_threads();
  bool has_next(std::uint32_t thread) const;
  void step(std::uint32_t thread);
  void take_turn(std::uint32_t thread);
  bool order_allows(std::uint32_t thread, std::uint32_t event_index) const;
  bool allowed(std::uint32_t thread, const SyncEvent& event) const;
  void apply(std::uint32_t thread, const SyncEvent& event);

  const SyncIndex& index_;
  const Segments& segments_;
  std::vector<std::uint32_t> limits_, executed_, next_;
  std::vector<std::vector<std::pair<std::uint32_t, bool>>> holders_;  // by lock: thread and whether shared
  std::vector<Turn> turns_;
  std::vector<std::uint32_t> silent_;  // threads without synchronisation events that have not run yet
};

/// One after the other, turns of the same thread in a row as one.
std::vector<Turn> join_turns(std::vector<Turn> turns, const std::vector<Turn>& rest);

/// How many events of a thread its first segments have.
std::uint32_t events_over(const SyncIndex& index, const Segments& segments, std::uint32_t thread, std::uint32_t count);

/// A thread that is needed up to the middle of a critical section had better leave it, if nothing stands in the way.
std::uint32_t extend_to_free(const SyncIndex& index, std::uint32_t thread, std::uint32_t events);

}  // namespace muster::predict
