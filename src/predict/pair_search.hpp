#pragma once
// Decides one prediction exactly, as far as two threads go: is there an order of their synchronisation events in which
// the access `between` comes after `first` and before `last`, and in which `last` is really reached?
//
// The search walks the grid of positions of the two threads from the last places where neither holds a lock. Both can
// always get there, one after the other, and with nested locks nothing earlier matters (Kahlon, Ivancic, Gupta, CAV
// 2005).

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <vector>

#include "predict/lockset.hpp"
#include "predict/prediction.hpp"
#include "predict/segments.hpp"
#include "predict/sync_index.hpp"

namespace muster::predict {

/// One thread runs until it has executed `events` of its events.
struct Turn {
  std::uint32_t thread;
  std::uint32_t events;

  bool operator==(const Turn&) const = default;
};

enum class Answer : std::uint8_t { no, yes, unknown };

struct PairSchedule {
  Answer answer = Answer::unknown;
  /// Where both threads stand, holding no locks, before the turns begin (events executed).
  std::uint32_t thread_start = 0, other_start = 0;
  std::vector<Turn> turns;
};

class PairSearch {
 public:
  PairSearch(const SyncIndex& index, const Segments& segments, std::size_t most_states = std::size_t{1} << 18)
      : index_(index), segments_(segments), most_states_(most_states) {}

  PairSchedule search(const Prediction& prediction);

  /// States visited by all searches so far, for callers that make many.
  std::uint64_t visited() const { return visited_; }

 private:
  /// The stretch of one thread that the search walks over: positions `start` to `stop` among its synchronisation
  /// events.
  struct Window {
    std::uint32_t thread = 0;
    std::uint32_t start = 0, stop = 0;
    std::uint32_t start_need = 0;     // the position the other thread has to have reached before this one does anything
    std::vector<LocksetId> locks;     // at each position
    std::vector<std::uint32_t> need;  // for each event: the position the other thread has to have reached first
  };
  struct Goal {
    std::uint32_t first, last, between;  // positions at which these accesses happen
  };

  std::uint32_t free_position_before(std::uint32_t thread, std::uint32_t position) const;
  std::uint32_t free_position_after(std::uint32_t thread, std::uint32_t position) const;
  std::uint32_t needed(std::uint32_t thread, std::uint32_t position, std::uint32_t of) const;
  void settle_starts(Window& a, Window& b) const;
  void fill(Window& window, std::uint32_t other);
  bool walk(const Window& mine, const Window& theirs, const Goal& goal);
  std::vector<Turn> path(const Window& mine, const Window& theirs, const Goal& goal,
                         const Prediction& prediction) const;

  struct State {
    std::uint32_t mine, theirs;
    bool passed;  // whether the access between happened

    bool operator==(const State&) const = default;
    template <class H>
    friend H AbslHashValue(H h, const State& s) {
      return H::combine(std::move(h), s.mine, s.theirs, s.passed);
    }
  };
  enum class Move : std::uint8_t { none, mine, theirs, pass };

  const SyncIndex& index_;
  const Segments& segments_;
  std::size_t most_states_;
  LocksetTable locksets_;
  absl::flat_hash_map<State, Move> reached_;  // with the move that led there
  State end_{};
  std::uint64_t visited_ = 0;
};

}  // namespace muster::predict
