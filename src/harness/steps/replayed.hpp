#pragma once
// Runs a schedule again: what happens then, in a process of its own, or in this one for debuggers.

#include <functional>
#include <vector>

#include "base/shared_memory.hpp"
#include "harness/options/options.hpp"
#include "harness/steps/tracer.hpp"

namespace muster {

/// What one execution showed that repeats a schedule.
struct Replayed {
  std::vector<TracedEvent> events;
  std::vector<Incident> incidents;
  Execution execution{};
};

/// In a process of its own, which the program may bring down.
Replayed replay_in_worker(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                          RacySites& racy_sites, bool silent);

/// The execution that showed an incident, silently; where that is about two places in memory, both are among the
/// events. `known_sites` are those that were points.
Replayed replay_showing(const Program& program, const HarnessOptions& options, const std::vector<Decision>& schedule,
                        const std::vector<std::uint32_t>& known_sites, const Incident& incident);

/// The places that such an execution shows.
std::vector<std::uint32_t> shown_sites(const Incident& incident);

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

}  // namespace muster
