#pragma once
// What results and findings can be, and the words for it: in JSON, in saved failures, as rules of SARIF.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/incident.hpp"

namespace muster {

/// Answers to "did it pass?". It passed only if all that was asked for was covered; where nothing was found but a part
/// was left, a budget or a sample, there is no finding.
enum class Outcome : std::uint8_t { passed, failed, undecided, no_finding };

/// What a result is about: `merge` is the work that shards shared.
enum class SubjectKind : std::uint8_t { scenario, check, log, trace, merge };

/// What a finding is. The first are those of incidents, in their order.
enum class FindingKind : std::uint8_t {
  requirement,
  exception,
  crash,
  abort,
  deadlock,
  livelock,
  race,
  use_after_free,
  double_free,
  invalid_free,
  out_of_bounds,
  leak,
  misuse,
  hang,
  unsupported,
  not_reproducible,
  limit,
  possible_race,
  not_linearizable,    // a full history that no serial order explains
  stuck,               // an operation that never returns, where serially it would
  nondeterministic,    // two serial executions that answer differently to the same calls
  own_threads,         // the same, but because of the threads of the object
  unlucky,             // the same, if timed waits expire early or something fails spuriously
  invariant,           // something that must hold at rest does not
  no_synchronisation,  // a history that no synchronisations explain
  no_progress,         // operations that could synchronise, or have, and never return
  not_quasi,           // a history that no order within the quasi factors explains
  not_sequential,
  not_quiescent,
  not_atomic,
  not_regular,
  not_safe,
  not_serializable,  // a run of transactions
  atomicity_violation,
  undecided,
  none,  // a schedule that was given by hand says not what it shows
};

/// How sure a prediction is; none of what happened.
enum class FindingGrade : std::uint8_t { none, certified, feasible, unscheduled };

constexpr FindingKind kind_of(IncidentKind incident) { return static_cast<FindingKind>(incident); }
static_assert(kind_of(IncidentKind::not_reproducible) == FindingKind::not_reproducible &&
              kind_of(IncidentKind::possible_race) == FindingKind::possible_race);

/// Two serial executions differ: which threads run beside is of no matter.
constexpr bool is_nondeterministic(FindingKind kind) {
  return kind == FindingKind::nondeterministic || kind == FindingKind::own_threads || kind == FindingKind::unlucky;
}

std::string_view name(Outcome outcome);
std::string_view name(SubjectKind kind);
std::string_view name(FindingKind kind);
std::string_view name(FindingGrade grade);

template <class E>
constexpr unsigned number_of = 0;
template <>
inline constexpr unsigned number_of<Outcome> = static_cast<unsigned>(Outcome::no_finding) + 1;
template <>
inline constexpr unsigned number_of<SubjectKind> = static_cast<unsigned>(SubjectKind::merge) + 1;
template <>
inline constexpr unsigned number_of<FindingKind> = static_cast<unsigned>(FindingKind::none) + 1;
template <>
inline constexpr unsigned number_of<FindingGrade> = static_cast<unsigned>(FindingGrade::unscheduled) + 1;

/// An enumeration that has words.
template <class E>
concept Worded = number_of<E> >
0;

/// What the word means, if it is one.
template <Worded E>
std::optional<E> find_word(std::string_view word) {
  for (unsigned i = 0; i < number_of<E>; ++i) {
    if (name(static_cast<E>(i)) == word) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace muster
