#include "finding/words.hpp"

#include <iterator>

namespace muster {
namespace {

constexpr std::string_view outcomes[] = {"passed", "failed", "undecided", "no-finding"};
constexpr std::string_view subjects[] = {"scenario", "check", "log", "trace", "merge"};
constexpr std::string_view grades[] = {"", "certified", "feasible", "unscheduled"};
static_assert(std::size(outcomes) == number_of<Outcome> && std::size(subjects) == number_of<SubjectKind> &&
              std::size(grades) == number_of<FindingGrade>);

constexpr auto first_other = static_cast<unsigned>(FindingKind::not_linearizable);
/// Of what is no incident: those have words of their own.
constexpr std::string_view other_kinds[] = {
    "not-linearizable",
    "stuck",
    "nondeterministic",
    "nondeterministic-own-threads",
    "nondeterministic-unlucky",
    "invariant",
    "not-synchronisation-linearizable",
    "no-progress",
    "not-quasi-linearizable",
    "not-sequentially-consistent",
    "not-quiescently-consistent",
    "not-atomic",
    "not-regular",
    "not-safe",
    "not-serializable",
    "atomicity-violation",
    "undecided",
    "",
};
static_assert(first_other + std::size(other_kinds) == number_of<FindingKind>);

}  // namespace

std::string_view name(Outcome outcome) { return outcomes[static_cast<unsigned>(outcome)]; }
std::string_view name(SubjectKind kind) { return subjects[static_cast<unsigned>(kind)]; }
std::string_view name(FindingGrade grade) { return grades[static_cast<unsigned>(grade)]; }

std::string_view name(FindingKind kind) {
  const auto number = static_cast<unsigned>(kind);
  return number < first_other ? name(static_cast<IncidentKind>(number)) : other_kinds[number - first_other];
}

}  // namespace muster
