#pragma once
// What is left of a search that was stopped, as a value: with it the search goes on in another process, on another day.

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/depth_first_strategy.hpp"

namespace muster {

struct Rest {
  bool begun = false;             // the search was: else it begins anew
  DepthFirstBounds bounds{0, 0};  // of the pass that was stopped
  Traversal::LeftOut left_out;    // by that pass, so far
  bool some_bound_exhausted = false;
  DepthFirstBounds exhausted{0, 0};  // of the last pass before it
  /// Subtrees that nobody has looked at yet; an empty one is the whole tree. Without any, the pass is done.
  std::vector<std::vector<Decision>> jobs;
  std::vector<std::string> tree;  // of a reduced search, instead
  std::uint64_t next_number = 0;  // of the next execution that is drawn
  std::uint64_t searched = 0;     // executions of a portfolio that were not drawn
  bool not_reduced = false;       // a portfolio has tried reduction, or seen that it does not pay
  bool reduces = false;           // it is at a reduced search instead of its last bound
  // What the search had learned about the program.
  std::vector<std::uint32_t> racy_sites;
  std::uint64_t shared_stacks = 0;
  bool outside_is_written = false;
  bool starts_late = false;
  bool sleeps = false;
  bool looks_at_clock = false;
  bool uses_weak_orders = false;
  bool needs_possible_order = false;
};

/// All numbers with their names, of a rest that is written or read.
template <class Rest, class Visit>
void each_number(Rest& rest, const Visit& visit) {
  visit("is_begun", rest.begun);
  visit("bound", rest.bounds.preemptions);
  visit("late_yields", rest.bounds.late_yields);
  visit("cut_by_preemptions", rest.left_out.preemptions);
  visit("cut_by_late_yields", rest.left_out.late_yields);
  visit("some_bound_exhausted", rest.some_bound_exhausted);
  visit("exhausted_bound", rest.exhausted.preemptions);
  visit("exhausted_late_yields", rest.exhausted.late_yields);
  visit("next_number", rest.next_number);
  visit("searched", rest.searched);
  visit("not_reduced", rest.not_reduced);
  visit("reduces", rest.reduces);
  visit("shared_stacks", rest.shared_stacks);
  visit("outside_is_written", rest.outside_is_written);
  visit("starts_late", rest.starts_late);
  visit("sleeps", rest.sleeps);
  visit("looks_at_clock", rest.looks_at_clock);
  visit("uses_weak_orders", rest.uses_weak_orders);
  visit("needs_possible_order", rest.needs_possible_order);
}

}  // namespace muster
