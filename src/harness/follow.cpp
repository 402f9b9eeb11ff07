#include "harness/follow.hpp"

#include <fmt/format.h>

#include <utility>

#include "explore/shared_memory.hpp"
#include "explore/worker.hpp"
#include "harness/endings.hpp"
#include "harness/follower.hpp"
#include "harness/scenario_run.hpp"
#include "harness/steps.hpp"

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
    append_ending(execution, journal.schedule, engine, false, notes.incidents);
    return notes.incidents;
  }
}

bool overlap(const Sighting::Access& a, const Sighting::Access& b) { return a.address < b.address + b.size && b.address < a.address + a.size; }

/// The plan as it was seen: a compare-exchange that fails where it did not when it was recorded only reads.
Plan as_seen(Plan plan, const Sighting& sighting) {
  std::string pattern;
  bool same = true;
  for (std::size_t i = 0; i < plan.accesses.size() && i < sighting.accesses.size(); ++i) {
    const bool write = sighting.accesses[i].write;
    same &= plan.accesses[i].write == write;
    plan.accesses[i].write = write;
    plan.accesses[i].thread = thread_name(sighting.accesses[i].thread);
    pattern += std::string(i == 0 ? "" : "-") + (write ? "write" : "read");
  }
  const auto object = plan.about.find(" on ");
  if (!same) plan.about = pattern + (object == std::string::npos ? "" : plan.about.substr(object));
  return plan;
}

/// Whether two accesses of a transaction with one of another thread in between are no serial order's, whatever was
/// expected of them.
bool is_violation(const Plan& seen) {
  return seen.accesses.size() != 3 || seen.accesses[1].write || (seen.accesses[0].write && seen.accesses[2].write);
}

/// What an execution did otherwise than its plan; empty if nothing.
std::string difference(const Plan& plan, const Sighting& sighting, Symbolizer& symbolizer) {
  for (std::size_t i = 0; i < plan.accesses.size() && i < sighting.accesses.size(); ++i) {
    const PlanAccess& wanted = plan.accesses[i];
    const Sighting::Access& seen = sighting.accesses[i];
    if (seen.order == 0)
      return fmt::format("{} did not come to its event {} at {} by an access", wanted.thread, wanted.event,
                         wanted.location);
    const std::string place = symbolizer.describe(seen.site);
    if (!wanted.location.empty() && place != wanted.location)
      return fmt::format("event {} of {} was at {}, not at {}", wanted.event, wanted.thread, place, wanted.location);
    if (seen.order != i + 1)
      return fmt::format("the accesses came in another order: {} at {} was number {}", wanted.thread, place,
                         seen.order);
    if (i > 0 && !overlap(seen, sighting.accesses[0]))
      return fmt::format("{} at {} was about other memory", wanted.thread, place);
  }
  const Plan seen = as_seen(plan, sighting);
  return is_violation(seen) ? "" : fmt::format("the accesses were only {}", seen.about);
}

}  // namespace

RuntimeOptions planned_options(RuntimeOptions usual) {
  usual.planned = true;
  usual.leaks = false;
  usual.step_limit = 100'000'000;  // the schedule itself has a limit
  usual.outlive_faults = true;  // an execution that learned of a point is run again, however it ended
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
    result.seen = as_seen(plan, *sighting);
    for (std::size_t i = 0; i < plan.accesses.size(); ++i)
      result.sites.push_back(static_cast<std::uint32_t>(sighting->accesses[i].site));
    return result;
  }
  for (const Incident& incident : result.incidents) {
    if (incident.kind == IncidentKind::deadlock) result.end = FollowEnd::deadlocked;
    if (incident.kind != IncidentKind::race) result.why = fmt::format("{}; {}", incident.message, result.why);
  }
  return result;
}

}  // namespace muster
