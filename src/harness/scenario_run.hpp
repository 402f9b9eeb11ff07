#pragma once
// Runs one scenario: explores it, replays what was found to see how it happened, and tells it as a result.

#include "base/shared_memory.hpp"
#include "finding/finding.hpp"
#include "harness/checkpoint_file.hpp"
#include "harness/incident_task.hpp"
#include "harness/options.hpp"
#include "harness/sites.hpp"
#include "harness/tracer.hpp"
#include "rule/registry.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// What one execution showed that repeats a schedule.
struct Replayed {
  std::vector<TracedEvent> events;
  std::vector<Incident> incidents;
  Execution execution{};
};

Program program_of(const Scenario& scenario);

/// In a process of its own, which the program may bring down.
Replayed replay_in_worker(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                          RacySites& racy_sites, bool silent);

/// The execution that showed an incident, silently; where that is about two places in memory, both are among the
/// events. `known_sites` are those that were points.
Replayed replay_showing(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                        const std::vector<std::uint32_t>& known_sites, const Incident& incident);

/// What a race is that was run again, which sees more calls of code that is not watched than a search does: if one of
/// these may order the two accesses, a possible race.
Incident as_replayed(const Incident& race, const Replayed& replayed);

/// For debuggers, which follow no forks.
Replayed replay_in_this_process(const Program& program, const HarnessOptions& options,
                                const std::vector<Decision>& schedule, RacySites& racy_sites);

/// Runs `work` in a process of its own: the incidents it gives back, and one more if the process did not survive.
std::vector<Incident> run_in_worker(Journal& journal, RacySites& racy_sites, const HarnessOptions& options, bool silent,
                                    const std::function<std::vector<Incident>(Engine&)>& work);

Shared<RacySites> make_racy_sites(const std::vector<std::uint32_t>& known);

/// Whether the user asked not to hear of this race.
bool suppressed(const Incident& incident, const HarnessOptions& options, Symbolizer& symbolizer);

/// Goes on from `rest`, if there is something in it, and leaves there what is still to do.
Result run_scenario(const Scenario& scenario, const HarnessOptions& options, Symbolizer& symbolizer,
                    ProgramCheckpoint* rest = nullptr);

/// Runs one schedule again, in a process of its own or (for debuggers) in this one, with the user's output shown.
Result replay_scenario(const Scenario& scenario, const HarnessOptions& options, const std::vector<Decision>& schedule,
                       const std::vector<std::string>& racy_sites, Symbolizer& symbolizer, bool in_this_process,
                       bool silent = false);

}  // namespace muster
