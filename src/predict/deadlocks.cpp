#include "predict/deadlocks.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

namespace muster::predict {

namespace {

constexpr std::size_t longest_cycle = 4;
constexpr std::size_t most_steps = 200'000;

using Edges = std::vector<std::vector<std::uint32_t>>;  // by lock: the locks taken while it is held

Edges lock_order(const Profiler& profiler) {
  Edges edges(profiler.lock_count());
  for (const Dependency& dependency : profiler.dependencies())
    for (const Held held : profiler.locksets().locks(dependency.held)) edges[held.lock].push_back(dependency.lock.lock);
  for (auto& targets : edges) {
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  }
  return edges;
}

/// Takes away locks that nothing is taken before until none is left, or only cycles and what they lead to.
bool has_cycle(const Edges& edges) {
  std::vector<std::uint32_t> incoming(edges.size());
  for (const auto& targets : edges)
    for (const std::uint32_t target : targets) ++incoming[target];
  std::vector<std::uint32_t> free;
  for (std::uint32_t lock = 0; lock < edges.size(); ++lock)
    if (incoming[lock] == 0) free.push_back(lock);
  std::size_t removed = 0;
  while (!free.empty()) {
    const std::uint32_t lock = free.back();
    free.pop_back();
    ++removed;
    for (const std::uint32_t target : edges[lock])
      if (--incoming[target] == 0) free.push_back(target);
  }
  return removed < edges.size();
}

class CycleSearch {
 public:
  explicit CycleSearch(const Profiler& profiler) : profiler_(profiler), holding_(profiler.lock_count()) {
    const auto dependencies = profiler.dependencies();
    for (std::uint32_t id = 0; id < dependencies.size(); ++id)
      for (const Held held : profiler.locksets().locks(dependencies[id].held)) holding_[held.lock].push_back(id);
  }

  void run(Deadlocks& result) {
    const auto dependencies = profiler_.dependencies();
    for (std::uint32_t id = 0; id < dependencies.size() && steps_ < most_steps; ++id) {
      if (dependencies[id].attempt) continue;
      cycle_ = {id};
      extend();
    }
    result.predictions = std::move(found_);
    result.complete = steps_ < most_steps;
  }

 private:
  const Dependency& dependency(std::uint32_t id) const { return profiler_.dependencies()[id]; }

  void extend() {
    const Dependency& last = dependency(cycle_.back());
    for (const std::uint32_t next : holding_[last.lock.lock]) {
      if (++steps_ >= most_steps) return;
      // The first of a cycle has the smallest number, so that each cycle is found once.
      if (next <= cycle_.front() || !fits(next)) continue;
      cycle_.push_back(next);
      if (blocks(next, cycle_.front())) report();
      if (cycle_.size() < longest_cycle) extend();
      cycle_.pop_back();
    }
  }

  /// Whether the thread of `a` waits for a lock that the thread of `b` holds.
  bool blocks(std::uint32_t a, std::uint32_t b) const {
    const Held wanted = dependency(a).lock;
    return std::ranges::any_of(profiler_.locksets().locks(dependency(b).held), [&](Held held) {
      return held.lock == wanted.lock && (held.exclusive || wanted.exclusive);
    });
  }

  bool fits(std::uint32_t next) const {
    const Dependency& added = dependency(next);
    if (added.attempt || !blocks(cycle_.back(), next)) return false;
    return std::ranges::all_of(cycle_, [&](std::uint32_t id) {
      const Dependency& known = dependency(id);
      const Segments& segments = profiler_.segments();
      return known.thread != added.thread && profiler_.locksets().compatible(known.held, added.held) &&
             !segments.precedes(known.thread, known.segment, added.thread, added.segment) &&
             !segments.precedes(added.thread, added.segment, known.thread, known.segment);
    });
  }

  void report() {
    std::vector<std::uint32_t> sites;
    for (const std::uint32_t id : cycle_) sites.push_back(dependency(id).site);
    std::rotate(sites.begin(), std::ranges::min_element(sites), sites.end());
    const auto [entry, is_new] = by_sites_.try_emplace(sites, found_.size());
    if (is_new) {
      found_.emplace_back();
    } else {
      ++found_[entry->second].count;
    }
    std::vector<Cycle>& examples = found_[entry->second].examples;
    if (examples.size() == DeadlockPrediction::most_examples) return;
    examples.emplace_back();
    for (const std::uint32_t id : cycle_) examples.back().push_back(dependency(id));
  }

  const Profiler& profiler_;
  std::vector<std::vector<std::uint32_t>> holding_;  // by lock: the dependencies that hold it
  std::vector<std::uint32_t> cycle_;
  std::vector<DeadlockPrediction> found_;
  absl::flat_hash_map<std::vector<std::uint32_t>, std::size_t> by_sites_;
  std::size_t steps_ = 0;
};

}  // namespace

Deadlocks find_deadlocks(const Profiler& profiler) {
  Deadlocks result;
  result.lock_order_has_cycle = !profiler.dependencies_complete() || has_cycle(lock_order(profiler));
  if (result.lock_order_has_cycle) CycleSearch(profiler).run(result);
  return result;
}

}  // namespace muster::predict
