#include "finding/finding.hpp"

#include <algorithm>

namespace muster {

void tell_bound(CoverageReport& coverage, unsigned preemptions) {
  constexpr unsigned none = 1 << 20;
  coverage.unbounded = preemptions >= none;
  coverage.preemptions = coverage.unbounded ? 0 : preemptions;
}

Result mistaken(const std::string& subject, const std::string& source, const std::string& why) {
  Result result;
  result.subject = subject;
  result.source = source;
  result.outcome = Outcome::undecided;
  result.summary = why;
  return result;
}

Outcome worst_outcome(const Report& report) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(report.results.begin(), report.results.end(),
                       [&](const Result& result) { return result.outcome == outcome; });
  };
  return any(Outcome::failed) ? Outcome::failed : any(Outcome::undecided) ? Outcome::undecided : Outcome::passed;
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
