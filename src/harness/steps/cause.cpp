#include "harness/steps/cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "harness/steps/conflicts.hpp"
#include "harness/steps/endings.hpp"
#include "harness/steps/object_names.hpp"
#include "search/worker.hpp"

namespace muster {
namespace {

/// An execution of a scenario is right if nothing is found in it. Races are findings of their own.
class ScenarioReferee final : public Referee, private Observer {
 public:
  explicit ScenarioReferee(bool leaks) : leaks_(leaks) {}

  Observer& observer() override { return *this; }
  void begin_execution() override { incidents_.clear(); }
  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override {
    append_ending(execution, schedule, engine, leaks_, incidents_);
    const bool fails = std::ranges::any_of(incidents_, [](const Incident& i) { return is_finding(i.kind); });
    fate_ = fails                                   ? Fate::wrong
            : execution.ending == Ending::abandoned ? Fate::nothing
            : incidents_.empty()                    ? Fate::right
                                                    : Fate::undecided;
    return true;
  }
  Fate fate() const override { return fate_; }

 private:
  void incident(const Incident& incident) noexcept override {
    const OwnWork work;
    if (!is_race(incident.kind)) incidents_.push_back(incident);
  }
  bool goes_back() const noexcept override { return true; }

  bool leaks_;
  std::vector<Incident> incidents_;
  Fate fate_ = Fate::nothing;
};

/// The events that are deeds, with their numbers; then the locks that threads wait for at the end.
struct Deeds {
  std::vector<const TracedEvent*> events;
  std::vector<std::size_t> numbers;
  std::size_t done = 0;

  void add(const std::vector<TracedEvent>& all, std::size_t number) {
    events.push_back(&all[number]);
    numbers.push_back(number);
  }
};

Deeds deeds_of(const std::vector<TracedEvent>& events) {
  Deeds deeds;
  std::map<ThreadId, std::size_t> last;
  for (std::size_t i = 0; i < events.size(); ++i) {
    last[events[i].event.thread] = i;
    if (!events[i].blocked && !events[i].aside && is_deed(events[i].event.kind)) deeds.add(events, i);
  }
  deeds.done = deeds.events.size();
  for (const auto& [thread, i] : last) {
    const EventKind kind = events[i].event.kind;
    if (events[i].blocked && (kind == EventKind::lock || kind == EventKind::lock_shared)) deeds.add(events, i);
  }
  return deeds;
}

/// "A reads counter = 0 at bank.cpp:9"
std::string deed_text(const Step& step) {
  if (step.object == library_data)
    return fmt::format("{}'s call of the standard library at {}", step.thread, step.place);
  std::string text = step.thread + " " + step.action;
  if (!step.object.empty()) text += " " + step.object.substr(0, step.object.find(", held by"));
  const bool is_remark = step.detail.starts_with(':') || step.detail.starts_with(',');
  if (!step.detail.empty() && !is_remark) text += " " + step.detail;
  return step.place.empty() ? text : text + " at " + step.place;
}

CauseQuestion question_about(const FailingExecution& failing, const Deeds& deeds, const HarnessOptions& options) {
  CauseQuestion question;
  question.schedule = failing.schedule;
  for (const TracedEvent* traced : deeds.events)
    question.deeds.push_back({traced->event.thread, traced->event.kind, traced->event.object});
  question.done = deeds.done;
  question.conflicts = conflicts_of(deeds.events);
  question.most_executions = options.cause_executions;
  question.late_yields = options.strategy.late_yields;
  return question;
}

void install_sites(RacySites& sites, const FailingExecution& failing) {
  sites = RacySites{};
  for (const std::uint32_t site : failing.racy_sites) sites.insert(site);
  for (const std::uint32_t site : failing.shown_sites) sites.show(site);
  sites.freeze();  // more points would make other schedules
}

}  // namespace

bool may_have_cause(FindingKind kind) {
  switch (kind) {
    case FindingKind::race:
    case FindingKind::possible_race:
    case FindingKind::hang:
    case FindingKind::unsupported:
    case FindingKind::not_reproducible:
    case FindingKind::limit:
    case FindingKind::undecided:
    case FindingKind::none:
      return false;
    default:
      return !is_nondeterministic(kind);
  }
}

Cause find_cause(const FailingExecution& failing, const HarnessOptions& options, const Refereeing& refereeing) {
  Cause cause;
  if (options.cause_executions == 0) return cause;
  const Deeds deeds = deeds_of(failing.replayed.events);
  const CauseQuestion question = question_about(failing, deeds, options);
  auto slot = make_shared_memory<WorkerSlot>();
  RuntimeOptions runtime = options.explore.runtime;
  runtime.outlive_faults = true;
  auto worker =
      std::make_unique<Worker>(slot->journal, slot->racy_sites, runtime, true, [&](Engine& engine, Channel& channel) {
        refereeing(engine, *slot, [&](const Program& program, Referee& referee) {
          install_sites(slot->racy_sites, failing);
          channel.send(find_cause(engine, slot->journal, program, referee, question).encode());
        });
      });
  CauseAnswer answer;
  constexpr std::chrono::seconds longest(20);
  Halt halt(std::chrono::steady_clock::now() + longest);
  supervise(std::move(worker), halt, options.explore.hang_seconds,
            {.message = [&](std::span<const std::byte> bytes) { answer = CauseAnswer::decode(bytes); },
             .error = [](const std::string&) {}});  // then no cause is told
  std::vector<Conflict> deciding;
  for (const std::uint32_t i : answer.decide) deciding.push_back(question.conflicts[i]);
  if (const auto told = most_telling(deeds.events, deciding))
    cause.decides = Cause::Order{deeds.numbers[told->first], deeds.numbers[told->second]};
  if (answer.no_return) cause.no_return = deeds.numbers[*answer.no_return];
  cause.hopeless = answer.hopeless;
  return cause;
}

Cause find_cause(const FailingExecution& failing, const HarnessOptions& options, const Program& program) {
  return find_cause(failing, options, [&](Engine&, WorkerSlot&, const auto& use) {
    ScenarioReferee referee(options.explore.runtime.leaks);
    use(program, referee);
  });
}

std::string tell_cause(const Cause& cause, std::vector<Step>& steps) {
  if (cause.no_return) steps[*cause.no_return].no_return = true;
  if (cause.hopeless) return "No schedule comes out right.";
  if (!cause.decides) return "";
  steps[cause.decides->first].decides = true;
  return fmt::format("What decides it: {}, before {}. The other way round, it comes out right.",
                     deed_text(steps[cause.decides->first]), deed_text(steps[cause.decides->second]));
}

}  // namespace muster
