#include "harness/follow/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/shared_memory.hpp"
#include "harness/follow/follower.hpp"
#include "harness/follow/plan_seen.hpp"
#include "harness/follow/seeker.hpp"
#include "harness/follow/waiting_circle.hpp"
#include "harness/steps/endings.hpp"
#include "harness/steps/event_places.hpp"
#include "harness/steps/replayed.hpp"
#include "search/worker.hpp"

namespace muster {
namespace {

// Each time an access becomes a point the execution begins anew; a plan has few turns.
constexpr unsigned most_attempts = 500;

// What cannot be found by its places is given up after so many executions, and steps of all of them.
constexpr unsigned most_sought = 2'000;
constexpr std::uint64_t most_steps = 20'000'000;

class IncidentNotes final : public Observer {
 public:
  std::vector<Incident> incidents;

 private:
  void incident(const Incident& incident) noexcept override {
    const OwnWork work;
    incidents.push_back(incident);
  }
};

/// What the workers know together: a program may end the one that runs it.
struct Progress {
  Sighting sighting;
  std::uint32_t manner = 0;  // the next to be tried
  std::uint32_t executions = 0;
  bool found = false;
};

class Pursuit {
 public:
  Pursuit(const Program& program, const Plan& plan, const HarnessOptions& options, Symbolizer& symbolizer)
      : program_(program),
        plan_(plan),
        options_(options),
        symbolizer_(symbolizer),
        places_(symbolizer),
        memory_(plan.memory.empty() ? 0 : symbolizer.from_offset(plan.memory)) {}

  Followed run() {
    Followed result = follow_numbers();
    if (result.end == FollowEnd::confirmed) return result;
    const std::vector<SeekManner> manners = manners_of_seeking(plan_);
    if (!can_seek() || manners.empty()) return result;
    if (seek_places(manners)) return confirmed(std::move(incidents_));
    result.why += fmt::format("; nor was it seen at these places in {} executions", progress_->executions);
    return result;
  }

 private:
  /// As the plan says, event by event.
  Followed follow_numbers() {
    auto incidents = in_worker([&](Engine& engine) { return follow_here(engine); });
    const std::string why = difference(plan_, progress_->sighting, places_, memory_);
    if (why.empty()) return confirmed(std::move(incidents));
    Followed result = execution(std::move(incidents));
    result.why = why;
    for (const Incident& incident : result.incidents) {
      if (incident.kind == IncidentKind::deadlock) result.end = FollowEnd::deadlocked;
      if (!is_race(incident.kind)) result.why = fmt::format("{}; {}", incident.message, result.why);
    }
    return result;
  }

  std::vector<Incident> follow_here(Engine& engine) {
    warm_up(engine, *journal_, program_);
    PlanStrategy strategy(plan_);
    Follower follower(plan_, strategy, progress_->sighting);
    for (unsigned attempt = 0;; ++attempt) {
      IncidentNotes notes;
      const Execution execution = execute(engine, strategy, follower, notes);
      if (execution.learned && attempt < most_attempts) continue;
      note_waiting_circle(plan_, strategy.threads(), follower.standing(), places_, progress_->sighting);
      append_ending(execution, journal_->schedule, engine, false, notes.incidents);
      return notes.incidents;
    }
  }

  /// Only what has places can be looked for by them.
  bool can_seek() const {
    const auto has_place = [](const auto& event) { return !event.location.empty(); };
    return std::ranges::all_of(plan_.accesses, has_place) && std::ranges::all_of(plan_.waits, has_place);
  }

  bool seek_places(const std::vector<SeekManner>& manners) {
    const std::uint64_t steps = journal_->steps;
    while (!progress_->found && progress_->manner < manners.size() && progress_->executions < most_sought &&
           journal_->steps - steps < most_steps) {
      incidents_ = in_worker([&](Engine& engine) { return seek_here(engine, manners, steps + most_steps); });
    }
    return progress_->found;
  }

  std::vector<Incident> seek_here(Engine& engine, const std::vector<SeekManner>& manners, std::uint64_t last_step) {
    warm_up(engine, *journal_, program_);
    while (progress_->manner < manners.size() && progress_->executions < most_sought && journal_->steps < last_step) {
      const SeekManner& manner = manners[progress_->manner++];
      if (!never_begins(manner)) {
        const std::vector<Incident> incidents = seek_in(engine, manner, last_step);
        if (progress_->found) return incidents;
      }
    }
    return {};
  }

  std::vector<Incident> seek_in(Engine& engine, const SeekManner& manner, std::uint64_t last_step) {
    SeekStrategy strategy;
    Seeker seeker(plan_, manner, strategy, places_, progress_->sighting, memory_);
    while (progress_->executions++ < most_sought && journal_->steps < last_step) {
      IncidentNotes notes;
      const Execution execution = execute(engine, strategy, seeker, notes);
      if (execution.learned) continue;
      note_waiting_circle(plan_, seeker.threads(), seeker.standing(), places_, progress_->sighting);
      progress_->found = difference(plan_, progress_->sighting, places_, memory_).empty();
      if (!seeker.has_begun()) never_begun_.push_back(manner);
      append_ending(execution, journal_->schedule, engine, false, notes.incidents);
      return notes.incidents;
    }
    return {};
  }

  /// Whether a place was not even come to as often as a manner before this one wanted.
  bool never_begins(SeekManner manner) const {
    return std::ranges::any_of(never_begun_, [&](const SeekManner& less) {
      const unsigned first = std::exchange(manner.first, less.first);
      const bool same = manner == less && less.first <= first;
      manner.first = first;
      return same;
    });
  }

  Execution execute(Engine& engine, Strategy& strategy, tap::Listener& listener, Observer& observer) {
    strategy.rewind();
    strategy.begin_execution(journal_->schedule);
    tap::listen(&listener);
    const Execution execution = engine.execute(program_, strategy, observer);
    tap::listen(nullptr);
    return execution;
  }

  std::vector<Incident> in_worker(const std::function<std::vector<Incident>(Engine&)>& work) {
    return run_in_worker(*journal_, *racy_sites_, options_, true, work);
  }

  Followed confirmed(std::vector<Incident> incidents) {
    Followed result = execution(std::move(incidents));
    result.end = FollowEnd::confirmed;
    const Sighting& sighting = progress_->sighting;
    result.seen = as_seen(plan_, sighting, symbolizer_, memory_);
    for (std::size_t i = 0; i < plan_.accesses.size(); ++i)
      result.sites.push_back(static_cast<std::uint32_t>(sighting.accesses[i].site));
    for (std::size_t i = 0; i < sighting.waiting; ++i)
      result.sites.push_back(static_cast<std::uint32_t>(sighting.waits[i].place));
    return result;
  }

  /// The last one, to be replayed.
  Followed execution(std::vector<Incident> incidents) {
    Followed result;
    result.incidents = std::move(incidents);
    const auto decisions = journal_->schedule.decisions();
    result.schedule.assign(decisions.begin(), decisions.end());
    racy_sites_->for_each([&](std::uint32_t site) { result.racy_sites.push_back(site); });
    return result;
  }

  const Program& program_;
  const Plan& plan_;
  const HarnessOptions& options_;
  Symbolizer& symbolizer_;
  PlanPlaces places_;
  std::uint64_t memory_;
  Shared<Journal> journal_ = make_shared_memory<Journal>();
  Shared<RacySites> racy_sites_ = make_shared_memory<RacySites>();
  Shared<Progress> progress_ = make_shared_memory<Progress>();
  std::vector<SeekManner> never_begun_;  // in a worker: the thread that is led first did not come to its place so often
  std::vector<Incident> incidents_;
};

}  // namespace

RuntimeOptions planned_options(RuntimeOptions usual) {
  usual.planned = true;
  usual.leaks = false;
  usual.step_limit = 100'000'000;  // the schedule itself has a limit
  usual.outlive_faults = true;     // an execution that learned of a point is run again, however it ended
  return usual;
}

Followed follow(const Program& program, const Plan& plan, const HarnessOptions& options, Symbolizer& symbolizer) {
  tell_events_outside_headers();
  return Pursuit(program, plan, options, symbolizer).run();
}

}  // namespace muster
