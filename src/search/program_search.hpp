#pragma once
// Searches one program, a scenario: a campaign of a single subject, whose tasks tell what executions show.

#include <functional>
#include <memory>
#include <span>

#include "base/incident.hpp"
#include "schedule/rest.hpp"
#include "search/campaign.hpp"
#include "search/strategy_config.hpp"

namespace muster {

/// A search that was stopped.
struct BegunSearch {
  Tally made;  // by all executions so far
  Rest rest;
};

struct Coverage {
  Counters counters;
  DepthFirstBounds under_way;     // of the pass that was begun last
  DepthFirstBounds bounds{0, 0};  // the last ones that were exhausted, if any
  bool some_bound_exhausted = false;
  bool unbounded = false;  // no bound was asked for
  bool exhausted = false;  // everything that was asked for was explored
  bool sampled = false;    // all the random executions that were asked for were made
  bool out_of_time = false;
  bool all_schedules = false;  // and the bounds left nothing out
  bool reduced = false;        // by an execution of each class
  double seconds = 0;
  double left = 0;             // executions that are still to be made, about; 0: none, or not known
  std::uint64_t findings = 0;  // so far, where whoever collects them says it
  BegunSearch begun;           // if it was stopped from outside or ran out of time
};

struct ExploreOptions : CampaignOptions {
  BegunSearch resume;                             // go on from here, if something is left of it
  std::function<void(const Coverage&)> progress;  // called about five times a second
};

/// Receives what tasks send, in the parent.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual void message(std::span<const std::byte> message) = 0;
  /// A worker died in an execution, or made no step for long. True stops the search.
  virtual bool died(const Incident& death, const Journal& journal, const RacySites& racy_sites,
                    std::uint64_t execution) = 0;
};

/// `executions` have been made before, `racy_sites` are those of the worker.
using MakeTask = std::function<std::unique_ptr<Task>(Channel&, const RacySites& racy_sites, std::uint64_t executions)>;

/// `racy_sites` grows by those that are met.
Coverage explore(const Program& program, const StrategyConfig& strategy, const MakeTask& make_task,
                 Collector& collector, RacySites& racy_sites, const ExploreOptions& options);

}  // namespace muster
