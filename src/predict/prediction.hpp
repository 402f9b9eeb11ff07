#pragma once
// A violation another order of the same events would show: two accesses of one transaction with a conflicting access of
// another thread between them (Farzan, Madhusudan, Sorrentino, CAV 2009, Lemma 1).

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

namespace muster::predict {

/// Named by first access, access between, last access. In order of how bad they usually are: a lost update comes first.
enum class Pattern : std::uint8_t { rww, rwr, wrw, wwr, www };
inline constexpr std::array<std::string_view, 5> pattern_names{
    "read-write-write", "read-write-read", "write-read-write", "write-write-read", "write-write-write"};

constexpr std::string_view name(Pattern pattern) { return pattern_names[static_cast<unsigned>(pattern)]; }

constexpr Pattern make_pattern(bool first_writes, bool between_writes, bool last_writes) {
  if (!between_writes) return Pattern::wrw;
  if (first_writes) return last_writes ? Pattern::www : Pattern::wwr;
  return last_writes ? Pattern::rww : Pattern::rwr;
}

/// Whether the first, middle or last access (0, 1, 2) of a pattern writes.
constexpr bool writes(Pattern pattern, unsigned position) {
  constexpr bool table[][3] = {
      {false, true, true}, {false, true, false}, {true, false, true}, {true, true, false}, {true, true, true}};
  return table[static_cast<unsigned>(pattern)][position];
}

/// How much is known of a prediction: `feasible`, locks and order allow it, with a schedule; `certified`, in that
/// schedule every read before the pattern also keeps its writer; `unscheduled`, the profiles allow it and no schedule
/// was made, because none was asked for, or none was found among the first threads and events looked at.
enum class Grade : std::uint8_t { certified, feasible, unscheduled };

/// An access by its place in its thread and its source location.
struct AccessRef {
  std::uint32_t index;
  std::uint32_t site;

  auto operator<=>(const AccessRef&) const = default;
};

struct Prediction {
  Pattern pattern;
  std::uint32_t thread;  // of the transaction
  std::uint32_t other;   // of the access between
  std::uint32_t variable;
  AccessRef first, between, last;

  auto operator<=>(const Prediction&) const = default;
};

}  // namespace muster::predict
