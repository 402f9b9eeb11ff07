#pragma once
// Phase 1 of a check: makes serial histories of the marks of its executions, and notices when two of them differ.

#include "check/recorder.hpp"
#include "rule/observation_set.hpp"

namespace muster {

/// Phase 1: every execution is a serial history to remember.
class SerialRecorder final : public Recorder {
 public:
  /// `unlucky`: timed waits expire early and things fail spuriously, as far as asked for.
  SerialRecorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
                 Columns& columns, ObservationSet& observed, bool unlucky)
      : Recorder(check, test, responses, racy_sites, columns), observed_(observed), unlucky_(unlucky) {}

  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override;

 private:
  SerialHistory to_serial(const Execution& execution) const;

  ObservationSet& observed_;
  bool unlucky_;
};

}  // namespace muster
