#pragma once
// Watches the executions of a test: their marks become histories, the rest incidents.

#include <functional>
#include <set>
#include <tuple>

#include "check/columns.hpp"
#include "rule/handle_names.hpp"
#include "rule/result.hpp"
#include "search/search.hpp"

namespace muster {

class Recorder : public Task, protected Observer {
 public:
  Recorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
           Columns& columns)
      : check_(check),
        test_(test),
        responses_(responses),
        names_(check, test, responses),
        columns_(columns),
        racy_sites_(racy_sites),
        last_answers_(test.size()) {}

  Observer& observer() override { return *this; }
  void begin_execution() override {
    history_.begin(static_cast<unsigned>(last_answers_.size()));
    fatal_.reset();
    if (racy_sites_.size() == points_.size()) return;
    points_.clear();
    racy_sites_.for_each([this](std::uint32_t site) { points_.push_back(site); });
  }

  std::vector<Failure> races;
  std::optional<Failure> failure;
  std::string undecided;
  std::function<void(const Failure&)> found;  // called with each race at once, if at all
  std::optional<Incident> sought_race;        // a race between the same two places is what the test fails by

 protected:
  void mark(ThreadId, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept override;
  void incident(const Incident& incident) noexcept override;
  bool goes_back() const noexcept override { return columns_.goes_back(); }
  void pass(Tape& tape) noexcept override;

  /// A failure with all that is known about this execution.
  Failure fail_with(Objection objection, const Recorded& history, std::span<const Decision> schedule) const;
  Failure fail_by(const Incident& incident, const Schedule& schedule) const;
  /// Races met in this execution, with all that is known about it.
  void keep_races(const Schedule& schedule);
  /// Whether something ended the execution that is no history to judge; then `failure` or `undecided` says what.
  bool ended_otherwise(const Execution& execution, const Schedule& schedule);

  const CheckDefinition& check_;
  const Test& test_;
  Responses& responses_;
  const HandleNames names_;
  Columns& columns_;
  Recorded history_;
  std::optional<Incident> fatal_;

  std::array<std::uint8_t, max_threads> current_{};  // the operation that each thread is in
  const RacySites& racy_sites_;

 private:
  ResponseId number(std::uint32_t operation, std::string_view answer);

  struct LastAnswer {
    std::string text;
    ResponseId number = 0;  // none yet
  };
  std::vector<LastAnswer> last_answers_;  // by operation: most executions answer as the one before
  std::vector<std::uint32_t> points_;     // the racy sites when this execution began
  std::set<std::tuple<IncidentKind, std::uint32_t, std::uint32_t>> raced_;
  std::vector<Incident> met_races_;  // in this execution, for the first time
};

}  // namespace muster
