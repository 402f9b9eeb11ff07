#include "finding/finding.hpp"

#include <algorithm>

namespace muster {

Outcome worst_outcome(const Report& report) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(report.results.begin(), report.results.end(),
                       [&](const Result& result) { return result.outcome == outcome; });
  };
  return any(Outcome::failed) ? Outcome::failed : any(Outcome::undecided) ? Outcome::undecided : Outcome::passed;
}

}  // namespace muster
