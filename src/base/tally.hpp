#pragma once
// What is counted of executions, from the worker that makes them to the report. Each number is listed once, for adding,
// for JSON and for the files that a search is gone on with from.

#include <cstdint>
#include <type_traits>

namespace muster {

/// What an execution counts itself: in all executions, or, in smaller numbers, in one of them.
template <class Number>
struct OwnCounts {
  Number held_back = 0;     // a spinning thread was held back: switches between its fruitless turns were not explored
  Number older_values = 0;  // a thread read an older value of an atomic, or stored below a newer one
  Number loops_cut = 0;     // under reduction: threads given up because they came back to where they were
  Number retries_cut = 0;   // and because a failed attempt had left nothing behind

  bool operator==(const OwnCounts&) const = default;
};

/// All of these with their names, of one or of two side by side.
template <class Visit, class... T>
void each_own_count(const Visit& visit, T&... counts) {
  visit("held_back", counts.held_back...);
  visit("older_values", counts.older_values...);
  visit("loops_cut", counts.loops_cut...);
  visit("retries_cut", counts.retries_cut...);
}

struct Tally : OwnCounts<std::uint64_t> {
  std::uint64_t executions = 0;         // all of them; in the result of a test those of its second phase
  std::uint64_t serial_executions = 0;  // of a check: to learn what the class does serially
  std::uint64_t drawn = 0;              // of a portfolio: by chance, beside its search
  std::uint64_t stuck = 0;              // something was pending in them and could never finish
  std::uint64_t abandoned = 0;          // given up because they repeat others
  std::uint64_t cut = 0;                // at the step limit
  std::uint64_t steps = 0;
  std::uint64_t decisions = 0;
  std::uint64_t classes = 0;          // under reduction: different ones that histories were made of
  std::uint64_t histories = 0;        // different ones
  std::uint64_t stuck_histories = 0;  // of these, those in which something never returns
  bool more_histories = false;        // there are others, which were not counted
  double cpu_seconds = 0;

  void add(const Tally& other);
  /// So many executions did not come to an end of their own.
  std::uint64_t ended_early() const { return abandoned + cut; }
  bool operator==(const Tally&) const = default;
};

/// All counts with their names, of one tally or of two side by side.
template <class Visit, class... T>
void each_count(const Visit& visit, T&... tallies) {
  visit("executions", tallies.executions...);
  visit("serial_executions", tallies.serial_executions...);
  visit("drawn", tallies.drawn...);
  visit("stuck", tallies.stuck...);
  visit("abandoned", tallies.abandoned...);
  visit("cut", tallies.cut...);
  each_own_count(visit, tallies...);
  visit("steps", tallies.steps...);
  visit("decisions", tallies.decisions...);
  visit("classes", tallies.classes...);
  visit("histories", tallies.histories...);
  visit("stuck_histories", tallies.stuck_histories...);
  visit("more_histories", tallies.more_histories...);
}

inline void Tally::add(const Tally& other) {
  each_count(
      [](const char*, auto& sum, const auto& part) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(sum)>, bool>)
          sum |= part;
        else
          sum += part;
      },
      *this, other);
  cpu_seconds += other.cpu_seconds;
}

}  // namespace muster
