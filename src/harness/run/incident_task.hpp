#pragma once
// The task of a scenario's worker: turns what happened in an execution into reports to the parent, each kind of thing
// once.

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "search/program_search.hpp"

namespace muster {

/// What a worker tells about one incident.
struct IncidentReport {
  Incident incident;
  std::vector<Decision> schedule;
  std::vector<std::uint32_t> racy_sites;  // that were scheduling points in this execution
  std::uint64_t execution = 0;
  bool drawn = false;  // not by a search with growing bounds

  std::vector<std::byte> encode() const;
  static IncidentReport decode(std::span<const std::byte> bytes);
};

class IncidentTask final : public Task, private Observer {
 public:
  /// `executions` have been made before.
  IncidentTask(Channel& channel, const RacySites& racy_sites, bool stop_at_first, bool leaks, std::uint64_t executions)
      : channel_(channel),
        racy_sites_(racy_sites),
        stop_at_first_(stop_at_first),
        leaks_(leaks),
        executions_(executions) {}

  Observer& observer() override { return *this; }
  void begin_execution() override;
  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override;
  void begin_aside() override { is_aside_ = true, found_aside_ = false; }
  bool end_aside() override { return is_aside_ = false, found_aside_; }

 private:
  void incident(const Incident& incident) noexcept override;
  // Races before a point that is gone back to were told by the execution that passed it first; anything else ends an
  // execution.
  bool goes_back() const noexcept override { return true; }

  Channel& channel_;
  const RacySites& racy_sites_;
  std::vector<std::uint32_t> points_;  // the racy sites when this execution began
  bool stop_at_first_;
  bool leaks_;
  bool is_aside_ = false, found_aside_ = false;
  std::uint64_t executions_;
  std::vector<Incident> incidents_;
  std::set<std::tuple<IncidentKind, std::uint32_t, std::uint32_t>> told_;
};

}  // namespace muster
