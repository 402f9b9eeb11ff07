#include "harness/follow.hpp"

#include <fmt/format.h>

#include <utility>

#include "explore/shared_memory.hpp"
#include "explore/worker.hpp"
#include "harness/endings.hpp"
#include "harness/follower.hpp"
#include "harness/scenario_run.hpp"

namespace muster {
namespace {

// Each time an access becomes a point the execution begins anew; a plan has few turns.
constexpr unsigned most_attempts = 500;

class IncidentNotes final : public Observer {
 public:
  std::vector<Incident> incidents;

 private:
  void incident(const Incident& incident) noexcept override {
    const bool was = std::exchange(controlled, false);
    incidents.push_back(incident);
    controlled = was;
  }
};

std::vector<Incident> follow_here(Engine& engine, Journal& journal, const Program& program, const Plan& plan, Sighting& sighting) {
  warm_up(engine, journal, program);
  PlanStrategy strategy(plan);
  Follower follower(plan, strategy, sighting);
  for (unsigned attempt = 0;; ++attempt) {
    IncidentNotes notes;
    strategy.rewind();
    strategy.begin_execution(journal.schedule);
    tap::listen(&follower);
    const Execution execution = engine.execute(program, strategy, notes);
    tap::listen(nullptr);
    if (execution.learned && attempt < most_attempts) continue;
    append_ending(execution, engine, false, notes.incidents);
    return notes.incidents;
  }
}

bool overlap(const Sighting::Access& a, const Sighting::Access& b) { return a.address < b.address + b.size && b.address < a.address + a.size; }

/// What an execution did otherwise than its plan; empty if nothing.
std::string difference(const Plan& plan, const Sighting& sighting, Symbolizer& symbolizer) {
  for (std::size_t i = 0; i < plan.accesses.size() && i < sighting.accesses.size(); ++i) {
    const PlanAccess& wanted = plan.accesses[i];
    const Sighting::Access& seen = sighting.accesses[i];
    if (seen.order == 0) return fmt::format("{} did not come to its event {} at {} by an access", wanted.thread, wanted.event, wanted.location);
    const std::string place = symbolizer.describe(seen.site);
    if (!wanted.location.empty() && place != wanted.location)
      return fmt::format("event {} of {} was at {}, not at {}", wanted.event, wanted.thread, place, wanted.location);
    if (seen.write != wanted.write) return fmt::format("{} at {} {} where it should not", wanted.thread, place, seen.write ? "wrote" : "read");
    if (seen.order != i + 1) return fmt::format("the accesses came in another order: {} at {} was number {}", wanted.thread, place, seen.order);
    if (i > 0 && !overlap(seen, sighting.accesses[0])) return fmt::format("{} at {} was about other memory", wanted.thread, place);
  }
  return {};
}

}  // namespace

RuntimeOptions planned_options(RuntimeOptions usual) {
  usual.planned = true;
  usual.leaks = false;
  usual.step_limit = 100'000'000;  // the schedule itself has a limit
  return usual;
}

Followed follow(const Program& program, const Plan& plan, const HarnessOptions& options, Symbolizer& symbolizer) {
  auto journal = make_shared_memory<Journal>();
  auto racy_sites = make_shared_memory<RacySites>();
  auto sighting = make_shared_memory<Sighting>();
  Followed result;
  result.incidents = run_in_worker(*journal, *racy_sites, options, true, [&](Engine& engine) { return follow_here(engine, *journal, program, plan, *sighting); });
  const auto decisions = journal->schedule.decisions();
  result.schedule.assign(decisions.begin(), decisions.end());
  racy_sites->for_each([&](std::uint32_t site) { result.racy_sites.push_back(site); });
  result.why = difference(plan, *sighting, symbolizer);
  if (result.why.empty()) {
    result.end = FollowEnd::confirmed;
    return result;
  }
  for (const Incident& incident : result.incidents) {
    if (incident.kind == IncidentKind::deadlock) result.end = FollowEnd::deadlocked;
    if (incident.kind != IncidentKind::race) result.why = fmt::format("{}; {}", incident.message, result.why);
  }
  return result;
}

}  // namespace muster
