#include "harness/saved/saved_replay.hpp"

#include <utility>

#include "harness/steps/steps.hpp"

namespace muster {

Result tell_replay(const SavedFailure& saved, const Replayed& replayed, std::vector<Step> steps) {
  Result result = replay_of(saved.subject, saved.test.empty() ? SubjectKind::scenario : SubjectKind::check);
  Finding finding;
  static_cast<Reproduction&>(finding) = saved;
  finding.preemptions = count_preemptions(parse_schedule(saved.schedule));
  finding.execution = 1;
  finding.steps = std::move(steps);
  finding.proven = saved.kind != FindingKind::possible_race;
  result.outcome = finding.proven ? Outcome::failed : Outcome::undecided;
  for (const Incident& incident : replayed.incidents) {
    if (incident.kind != IncidentKind::not_reproducible) continue;
    finding.proven = false;
    finding.sentence = incident.message;
    result.outcome = Outcome::undecided;
    if (saved.id.empty())
      finding.notes.push_back(
          "A schedule alone says neither with which flags it was found nor which racy accesses were points: repeat the "
          "flags, or replay the saved file.");
  }
  result.findings.push_back(std::move(finding));
  return result;
}

}  // namespace muster
