#include "finding/finding.hpp"

#include <algorithm>
#include <string_view>

namespace muster {

void tell_bound(CoverageReport& coverage, unsigned preemptions) {
  constexpr unsigned none = 1 << 20;
  coverage.unbounded = preemptions >= none;
  coverage.preemptions = coverage.unbounded ? 0 : preemptions;
}

Finding open_question(const std::string& subject, const std::string& why) {
  Finding finding;
  finding.subject = subject;
  finding.kind = FindingKind::undecided;
  finding.proven = false;
  finding.sentence = why;
  return finding;
}

Result replay_of(const std::string& subject, SubjectKind source) {
  Result result;
  result.subject = subject;
  result.source = source;
  result.coverage.executions = 1;
  result.coverage.strategy = "replay";
  result.coverage.exhausted = true;
  return result;
}

Result mistaken(const std::string& subject, SubjectKind source, const std::string& why) {
  Result result;
  result.subject = subject;
  result.source = source;
  result.outcome = Outcome::undecided;
  result.summary = why;
  return result;
}

void stop(Result& result, const char* why) {
  result.stopped = why;
  const bool by_somebody = why == std::string_view(stopped_by_somebody);
  if (by_somebody && result.outcome == Outcome::no_finding) result.outcome = Outcome::undecided;
}

Result not_run(const std::string& subject, SubjectKind source, const char* why) {
  Result result;
  result.subject = subject;
  result.source = source;
  result.outcome = Outcome::no_finding;
  stop(result, why);
  return result;
}

Outcome outcome_of(const Result& result) {
  const auto& findings = result.findings;
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.proven; }))
    return Outcome::failed;
  if (!findings.empty()) return Outcome::undecided;
  return result.coverage.exhausted && result.coverage.executions > 0 ? Outcome::passed : Outcome::no_finding;
}

Outcome worse(Outcome a, Outcome b) {
  for (const Outcome outcome : {Outcome::failed, Outcome::undecided, Outcome::no_finding}) {
    if (a == outcome || b == outcome) return outcome;
  }
  return Outcome::passed;
}

Outcome worst_outcome(const Report& report) {
  Outcome worst = Outcome::passed;
  for (const Result& result : report.results) worst = worse(worst, result.outcome);
  return worst;
}

ExitCode exit_code(Outcome outcome) {
  return outcome == Outcome::failed      ? ExitCode::finding
         : outcome == Outcome::undecided ? ExitCode::undecided
                                         : ExitCode::no_finding;
}

ExitCode worse(ExitCode a, ExitCode b) {
  for (const ExitCode code : {ExitCode::finding, ExitCode::bad_input, ExitCode::undecided}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::no_finding;
}

}  // namespace muster
