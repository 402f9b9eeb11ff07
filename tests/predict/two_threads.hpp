#pragma once
// Random pairs of threads, and two references for what can be predicted from them: an exact one that walks the grid of
// both threads' positions, and the paper's lists R, W, AA and WW, word for word.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/rng.hpp"
#include "predict/prediction.hpp"
#include "support/memory_trace.hpp"

namespace muster::test {

using predict::Pattern;
using trace::Event;
using trace::Kind;

struct Shape {
  bool nested = true;   // released in reverse order
  bool ordered = true;  // taken in ascending order, so that nothing can deadlock
  unsigned locks = 3, variables = 2, steps = 14;
};

/// The events of thread 0, then those of thread 1: a serial run, and so a legal one.
inline MemoryTrace random_pair(Rng& rng, const Shape& shape) {
  MemoryTrace trace;
  for (unsigned variable = 0; variable < shape.variables; ++variable)
    for (const char* thread : {"A", "B"}) trace.add(thread, Kind::read, fmt::format("x{}", variable), "0");
  for (const char* thread : {"A", "B"}) {
    std::vector<unsigned> held;
    bool inside = false;
    const auto lock_name = [](unsigned lock) { return fmt::format("l{}", lock); };
    const auto release = [&](std::size_t at) {
      trace.add(thread, Kind::unlock, lock_name(held[at]), "0");
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (unsigned step = 0; step < shape.steps; ++step) {
      switch (rng.below(8)) {
        case 0:
        case 1: {
          const unsigned lowest = shape.ordered && !held.empty() ? *std::ranges::max_element(held) + 1 : 0;
          if (lowest >= shape.locks) break;
          const auto lock = lowest + static_cast<unsigned>(rng.below(shape.locks - lowest));
          if (std::ranges::find(held, lock) != held.end()) break;
          held.push_back(lock);
          trace.add(thread, Kind::lock, lock_name(lock), "0");
          break;
        }
        case 2:
        case 3:
          if (!held.empty()) release(shape.nested ? held.size() - 1 : rng.below(held.size()));
          break;
        case 4:
          trace.add(thread, inside ? Kind::end : Kind::begin, "", "0");
          inside = !inside;
          break;
        default:
          trace.add(thread, rng.chance(1, 2) ? Kind::read : Kind::write, fmt::format("x{}", rng.below(shape.variables)),
                    "0");
      }
    }
    while (!held.empty()) release(held.size() - 1);
    if (inside) trace.add(thread, Kind::end, "", "0");
  }
  return trace;
}

/// Who, with whom, on what, how. The references and the predictor are compared by these.
struct Found {
  std::uint32_t thread, other, variable;
  Pattern pattern;

  auto operator<=>(const Found&) const = default;
};

/// One thread's events with what it holds behind each.
struct Local {
  std::vector<Event> events;
  std::vector<std::set<std::uint32_t>> held{{}};                              // at each position
  std::vector<std::map<std::uint32_t, std::set<std::uint32_t>>> history{{}};  // acquisition history at each position
  std::vector<unsigned> transaction;                                          // of each event; 0 outside
};

inline std::array<Local, 2> split(const MemoryTrace& trace) {
  std::array<Local, 2> locals;
  std::array<unsigned, 2> last{}, current{};
  for (const Event& event : trace.events()) {
    Local& local = locals[event.thread];
    auto held = local.held.back();
    auto history = local.history.back();
    if (event.kind == Kind::lock) {
      for (auto& [lock, taken] : history) taken.insert(event.object);
      held.insert(event.object);
      history[event.object];
    }
    if (event.kind == Kind::unlock) {
      held.erase(event.object);
      history.erase(event.object);
    }
    if (event.kind == Kind::begin) current[event.thread] = ++last[event.thread];
    local.events.push_back(event);
    local.transaction.push_back(current[event.thread]);
    local.held.push_back(held);
    local.history.push_back(history);
    if (event.kind == Kind::end) current[event.thread] = 0;
  }
  return locals;
}

inline bool disjoint(const std::set<std::uint32_t>& a, const std::set<std::uint32_t>& b) {
  return std::ranges::none_of(a, [&](std::uint32_t lock) { return b.contains(lock); });
}

/// Calls `use(first, last)` for the positions of any two accesses of one transaction to one variable.
template <class Use>
void for_each_pair(const Local& local, Use use) {
  for (std::size_t first = 0; first < local.events.size(); ++first)
    for (std::size_t last = first + 1; last < local.events.size(); ++last)
      if (is_access(local.events[first].kind) && is_access(local.events[last].kind) && local.transaction[first] != 0 &&
          local.transaction[first] == local.transaction[last] &&
          local.events[first].object == local.events[last].object)
        use(first, last);
}

inline std::optional<Pattern> conflict(const Event& first, const Event& between, const Event& last) {
  if (!is_access(between.kind) || between.object != first.object) return std::nullopt;
  const bool w1 = is_write(first.kind), w = is_write(between.kind), w2 = is_write(last.kind);
  if (!w && !(w1 && w2)) return std::nullopt;
  return predict::make_pattern(w1, w, w2);
}

/// Positions (i, j) of two threads; moves by one event of either, never to where both hold one lock.
class Grid {
 public:
  Grid(const Local& mine, const Local& theirs) : mine_(mine), theirs_(theirs) {}

  /// Whether first, between, last can happen in this order, starting from the beginning.
  bool can_happen(std::size_t first, std::size_t between, std::size_t last) {
    const auto reached = reach({{0, 0}}, last, between + 1);
    std::set<std::pair<std::size_t, std::size_t>> passed;  // just behind the access between
    for (const auto& [i, j] : reached)
      if (i > first && i <= last && j == between + 1 && reached.contains({i, between})) passed.insert({i, j});
    const auto end = reach(passed, last + 1, theirs_.events.size());
    return std::ranges::any_of(end, [&](const auto& cell) { return cell.first == last + 1; });
  }

  /// Whether the two can come to where each takes a lock that the other holds.
  bool can_deadlock() {
    const auto reached = reach({{0, 0}}, mine_.events.size(), theirs_.events.size());
    return std::ranges::any_of(reached, [&](const auto& cell) {
      return waits(mine_, cell.first, theirs_, cell.second) && waits(theirs_, cell.second, mine_, cell.first);
    });
  }

  static bool waits(const Local& local, std::size_t at, const Local& other, std::size_t other_at) {
    return at < local.events.size() && local.events[at].kind == Kind::lock &&
           other.held[other_at].contains(local.events[at].object);
  }

 private:
  using Cells = std::set<std::pair<std::size_t, std::size_t>>;

  Cells reach(const Cells& from, std::size_t most_mine, std::size_t most_theirs) const {
    Cells seen = from;
    std::vector open(from.begin(), from.end());
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      for (const auto& [a, b] : {std::pair{i + 1, j}, std::pair{i, j + 1}})
        if (a <= most_mine && b <= most_theirs && disjoint(mine_.held[a], theirs_.held[b]) &&
            seen.insert({a, b}).second)
          open.emplace_back(a, b);
    }
    return seen;
  }

  const Local& mine_;
  const Local& theirs_;
};

inline std::set<Found> exact(const MemoryTrace& trace) {
  const auto locals = split(trace);
  std::set<Found> found;
  for (const std::uint32_t mine : {0u, 1u}) {
    const Local &a = locals[mine], &b = locals[1 - mine];
    Grid grid(a, b);
    for_each_pair(a, [&](std::size_t first, std::size_t last) {
      for (std::size_t between = 0; between < b.events.size(); ++between) {
        const auto pattern = conflict(a.events[first], b.events[between], a.events[last]);
        if (!pattern) continue;
        const Found candidate{mine, 1 - mine, a.events[first].object, *pattern};
        if (!found.contains(candidate) && grid.can_happen(first, between, last)) found.insert(candidate);
      }
    });
  }
  return found;
}

/// CAV 2009, section 4, to the letter. Patterns are told apart only as write-read-write or not.
inline std::set<Found> paper_lists(const MemoryTrace& trace) {
  using Set = std::set<std::uint32_t>;
  using History = std::map<std::uint32_t, Set>;
  using Witnesses = std::set<std::pair<Set, History>>;
  const auto locals = split(trace);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Witnesses> r, w, aa, ww;  // by thread and variable
  for (const std::uint32_t thread : {0u, 1u}) {
    const Local& local = locals[thread];
    for (std::size_t i = 0; i < local.events.size(); ++i)
      if (is_access(local.events[i].kind))
        (is_write(local.events[i].kind) ? w : r)[{thread, local.events[i].object}].insert(
            {local.held[i + 1], local.history[i + 1]});
    for_each_pair(local, [&](std::size_t first, std::size_t last) {
      const std::pair key{thread, local.events[first].object};
      const bool both_write = is_write(local.events[first].kind) && is_write(local.events[last].kind);
      for (std::size_t e = first; e < last; ++e) {
        aa[key].insert({local.held[e + 1], local.history[e + 1]});
        if (both_write) ww[key].insert({local.held[e + 1], local.history[e + 1]});
      }
    });
  }
  const auto compatible = [](const History& a, const History& b) {
    for (const auto& [lock, taken] : a)
      for (const std::uint32_t other : taken)
        if (const auto entry = b.find(other); entry != b.end() && entry->second.contains(lock)) return false;
    return true;
  };
  std::set<Found> found;
  const auto match = [&](const auto& sandwiches, const auto& fillings, Pattern pattern) {
    for (const auto& [key, witnesses] : sandwiches) {
      const std::uint32_t other = 1 - key.first;
      const auto entry = fillings.find({other, key.second});
      if (entry == fillings.end()) continue;
      for (const auto& [locks, history] : witnesses)
        for (const auto& [other_locks, other_history] : entry->second)
          if (disjoint(locks, other_locks) && compatible(history, other_history))
            found.insert({key.first, other, key.second, pattern});
    }
  };
  match(ww, r, Pattern::wrw);
  match(aa, w, Pattern::www);
  return found;
}

/// With every access-write-access pattern called by one name, as the paper does.
inline std::set<Found> in_two_classes(const std::set<Found>& found) {
  std::set<Found> result;
  for (Found each : found) {
    if (each.pattern != Pattern::wrw) each.pattern = Pattern::www;
    result.insert(each);
  }
  return result;
}

}  // namespace muster::test
