#pragma once
// Execution graphs, and whether RC11 allows them: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential
// Consistency in C/C++11", PLDI 2017, section 3, with the release sequences of C++20, which are read-modify-writes
// only.

#include <array>
#include <compare>
#include <set>
#include <vector>

#include "memory/program.hpp"

namespace muster::weak {

using EventIndex = int;
inline constexpr EventIndex initial = -1;  // wrote 0 everywhere

struct Event {
  unsigned thread;
  Access access;
  EventIndex source = initial;  // of what it read
};

struct Graph {
  std::vector<Event> events;  // those of a thread in program order
  /// Modification order, without the initial value, which is first.
  std::array<std::vector<EventIndex>, location_count> order;
};

/// Happens-before is an order, and agrees with the order in which values are seen: sb, rf, mo and what follows.
bool is_coherent(const Graph& graph);
/// An update takes the place right after what it read.
bool is_atomic(const Graph& graph);
/// The axiom about seq_cst accesses and fences: psc has no circle.
bool is_sequentially_consistent(const Graph& graph);
/// No value comes out of thin air: program order and reads-from together have no circle.
bool is_grounded(const Graph& graph);

/// Two accesses of a location that nothing orders, one of which writes.
struct Race {
  unsigned first, second;  // threads
  std::uint8_t at, and_at;
  auto operator<=>(const Race&) const = default;
};
/// Those at one location: what races they would be if its accesses were plain.
std::set<Race> races(const Graph& graph, Location at);

inline bool allowed(const Graph& graph) {
  return is_grounded(graph) && is_atomic(graph) && is_coherent(graph) && is_sequentially_consistent(graph);
}

}  // namespace muster::weak
