#pragma once
// The stretches of all threads that a search for a schedule walks over, position by position among their
// synchronisation events, and which steps locks and order allow there.

#include <cstdint>
#include <vector>

#include "predict/lockset.hpp"
#include "predict/pair_search.hpp"
#include "predict/segments.hpp"
#include "predict/sync_index.hpp"

namespace muster::predict {

class Windows {
 public:
  /// Positions of all threads, perhaps followed by what else a search keeps.
  using State = std::vector<std::uint32_t>;

  Windows(const SyncIndex& index, const Segments& segments) : index_(index), segments_(segments) {}

  void begin(std::size_t threads) { windows_.assign(threads, {}); }
  void set(std::uint32_t thread, std::uint32_t start, std::uint32_t stop);
  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(windows_.size()); }

  /// Whether all that has to come before an event of the thread happened.
  bool order_allows(const State& state, std::uint32_t thread, std::uint32_t event_index) const;
  /// Whether the thread can make its next synchronisation event, within its window.
  bool can_step(const State& state, std::uint32_t thread) const;
  /// It makes that event; `turns` get what was executed with it.
  void step(State& state, std::uint32_t thread, std::vector<Turn>& turns) const;

 private:
  struct Window {
    std::uint32_t start = 0, stop = 0;
    std::vector<LocksetId> locks;  // at each position
  };

  const SyncIndex& index_;
  const Segments& segments_;
  LocksetTable locksets_;
  std::vector<Window> windows_;
};

}  // namespace muster::predict
