#include "harness/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>

#include "harness/object_names.hpp"

namespace muster {
namespace {

std::string_view verb(EventKind kind) {
  switch (kind) {
    case EventKind::load:
    case EventKind::read:
      return "reads";
    case EventKind::store:
    case EventKind::write:
      return "writes";
    case EventKind::rmw:
      return "updates";
    case EventKind::fence:
      return "passes a fence";
    case EventKind::lock:
      return "locks";
    case EventKind::try_lock:
      return "tries to lock";
    case EventKind::unlock:
      return "unlocks";
    case EventKind::lock_shared:
      return "locks for reading";
    case EventKind::try_lock_shared:
      return "tries to lock for reading";
    case EventKind::unlock_shared:
      return "unlocks after reading";
    case EventKind::wait:
      return "waits on";
    case EventKind::timed_wait:
      return "waits with a deadline on";
    case EventKind::notify_one:
      return "notifies one waiter of";
    case EventKind::notify_all:
      return "notifies all waiters of";
    case EventKind::futex_wait:
      return "goes to sleep on";
    case EventKind::futex_wake:
      return "wakes sleepers on";
    case EventKind::acquire_semaphore:
      return "takes from semaphore";
    case EventKind::release_semaphore:
      return "gives to semaphore";
    case EventKind::arrive:
      return "arrives at barrier";
    case EventKind::once:
      return "initialises once";
    case EventKind::yield:
      return "yields";
    case EventKind::sleep:
      return "sleeps";
    case EventKind::join:
      return "joins";
    case EventKind::finish:
      return "ends";
    case EventKind::free_block:
      return "frees";
    default:
      return name(kind);
  }
}

std::string_view awaits(EventKind kind) {
  switch (kind) {
    case EventKind::join:
      return "waits for the end of";
    case EventKind::wait:
    case EventKind::timed_wait:
      return "waits to be notified of";
    case EventKind::futex_wait:
      return "sleeps until woken through";
    case EventKind::acquire_semaphore:
    case EventKind::arrive:
    case EventKind::once:
    case EventKind::lock:
    case EventKind::lock_shared:
      return "waits for";
    default:
      return "waits";
  }
}

/// Why another thread runs now; empty where its own step, or the last one of the thread before, says it.
std::string reason_to_switch(const TracedEvent& last, const TracedEvent& next) {
  if (next.blocked || last.blocked || last.event.kind == EventKind::finish) return {};
  const std::string who = thread_name(last.event.thread);
  if (last.event.kind == EventKind::yield || last.event.kind == EventKind::sleep) return who + " gives way";
  if (next.preemptions > last.preemptions) return who + " is preempted";
  switch (last.event.kind) {
    case EventKind::load:
    case EventKind::rmw:
    case EventKind::read:
    case EventKind::try_lock:
    case EventKind::try_lock_shared:
      return who + " waits in a loop";  // about to read what it has read already
    default:
      return {};
  }
}

/// The event by which a thread goes on after it has slept is of the same kind as that by which it went to sleep.
bool wakes_up(const TracedEvent& traced, const std::map<ThreadId, const TracedEvent*>& before) {
  const EventKind kind = traced.event.kind;
  if (kind != EventKind::wait && kind != EventKind::timed_wait && kind != EventKind::futex_wait) return false;
  const auto last = before.find(traced.event.thread);
  return !traced.blocked && last != before.end() && last->second->blocked &&
         last->second->event.object == traced.event.object;
}

/// Requirements and assertions name their file as it was compiled: its last part is enough to find it.
std::string shortened_path(const std::string& text) {
  static const std::regex path("^[^ :]*/([^ /:]+:[0-9]+: )");
  return std::regex_replace(text, path, "$1");
}

constexpr const char* advice_on_unwatched =
    "What is not watched shows only that it is called. Build it with the check (INSTRUMENT), or describe what it does "
    "(--describe): then this is a race or none.";

std::string_view race_word(IncidentKind kind) { return kind == IncidentKind::possible_race ? "possible race" : "race"; }

/// Of a possible race, the message names what is not watched.
std::string what_orders(const Incident& race) {
  if (race.kind == IncidentKind::race) return "nothing orders the two";
  return fmt::format("only {} may order the two, and what happens in there is not watched", race.message);
}

/// Whether its sentence begins with where it happened: of others the steps tell it.
bool is_told_with_place(IncidentKind kind) {
  switch (kind) {
    case IncidentKind::crash:
    case IncidentKind::abort:
    case IncidentKind::use_after_free:
    case IncidentKind::double_free:
    case IncidentKind::invalid_free:
    case IncidentKind::out_of_bounds:
    case IncidentKind::leak:
    case IncidentKind::misuse:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string thread_name(ThreadId thread) {
  if (thread == 0) return "main";
  if (thread <= 26) return std::string(1, static_cast<char>('A' + thread - 1));
  return fmt::format("T{}", thread);
}

Finding describe(const std::string& subject, const Incident& incident, Symbolizer& symbolizer) {
  Finding finding;
  finding.subject = subject;
  finding.kind = name(incident.kind);
  finding.proven = is_finding(incident.kind);
  const std::string who = incident.place.thread == no_thread ? "a thread" : thread_name(incident.place.thread);
  const SiteId site = incident.place.site >> 32 ? incident.place.site
                                                : symbolizer.widen(static_cast<std::uint32_t>(incident.place.site));
  const SourcePlace& here = symbolizer.locate(site);
  const SourcePlace& earlier = symbolizer.locate(symbolizer.widen(static_cast<std::uint32_t>(incident.earlier.site)));
  const std::string place = site ? fmt::format(" at {}", here.brief()) : "";
  if (is_told_with_place(incident.kind) && !here.system && !here.file.empty() && here.line > 0) {
    finding.file = here.file;
    finding.line = here.line;
  }
  const std::string message = shortened_path(incident.message);
  const auto deed = [](const Place& p) { return p.kind == EventKind::write ? "writes" : "reads"; };
  switch (incident.kind) {
    case IncidentKind::requirement:
      finding.sentence = fmt::format("requirement not met in {}: {}", who, message);
      break;
    case IncidentKind::exception:
      finding.sentence = fmt::format("an exception leaves {}: {}", who, message);
      break;
    case IncidentKind::crash:
      finding.sentence = fmt::format("{} crashes{}: {}", who, place, message);
      if (incident.signal == SIGSEGV || incident.signal == SIGBUS)  // of others it is that of the code
        finding.sentence += fmt::format(" (address {:#x})", incident.address);
      break;
    case IncidentKind::abort:
      finding.sentence = fmt::format("{} aborts{}: {}", who, place, message);
      break;
    case IncidentKind::deadlock:
      finding.sentence = fmt::format("deadlock: {}", message);
      break;
    case IncidentKind::livelock:
      finding.sentence = fmt::format("livelock: {}", message);
      break;
    case IncidentKind::race:
    case IncidentKind::possible_race:
      finding.sentence =
          fmt::format("{}: {} {}{} what another thread {} at {}, and {}", race_word(incident.kind), who,
                      deed(incident.place), place, deed(incident.earlier), earlier.brief(), what_orders(incident));
      if (incident.kind == IncidentKind::possible_race) finding.notes.push_back(advice_on_unwatched);
      break;
    case IncidentKind::use_after_free:
      finding.sentence = fmt::format("{} uses memory after it was freed{}; {} freed it at {}", who, place,
                                     thread_name(incident.earlier.thread), earlier.brief());
      break;
    case IncidentKind::double_free:
      finding.sentence = fmt::format("{} frees a block a second time{}; {} freed it at {}", who, place,
                                     thread_name(incident.earlier.thread), earlier.brief());
      break;
    case IncidentKind::invalid_free:
    case IncidentKind::out_of_bounds:
      finding.sentence = fmt::format("{}{}: {}", who, place, message);
      if (incident.earlier.site != 0)
        finding.sentence += fmt::format(" by {} at {}", thread_name(incident.earlier.thread), earlier.brief());
      break;
    case IncidentKind::leak:
      finding.sentence = fmt::format("leak: {} allocated by {}{}", message, who, place);
      break;
    case IncidentKind::misuse:
      finding.sentence = fmt::format("{}{} {}", who, place, message);
      if (incident.earlier.site != 0) finding.sentence += fmt::format(" at {}", earlier.brief());
      break;
    case IncidentKind::hang:
      finding.sentence = fmt::format("possible hang: {}", message);
      break;
    case IncidentKind::unsupported:
      finding.sentence = fmt::format("unsupported call{}: {}", place, message);
      break;
    case IncidentKind::not_reproducible:
      finding.sentence = fmt::format("not reproducible{}: {}", place, message);
      break;
    case IncidentKind::limit:
      finding.sentence = message;
      break;
  }
  return finding;
}

std::vector<Step> to_steps(const std::vector<TracedEvent>& events, Symbolizer& symbolizer) {
  std::vector<Step> steps;
  std::map<ThreadId, const TracedEvent*> before;  // of each thread
  ObjectNames names(events, symbolizer);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const TracedEvent& traced = events[i];
    std::size_t frames = 0;
    while (frames < traced_frames && traced.stack[frames] != 0) ++frames;
    const SourcePlace& place = symbolizer.locate({traced.stack, frames});
    Step step;
    step.thread = thread_name(traced.event.thread);
    step.action = traced.blocked             ? awaits(traced.event.kind)
                  : wakes_up(traced, before) ? "wakes up on"
                                             : verb(traced.event.kind);
    if (traced.newer_by != no_thread)
      step.action += traced.event.kind == EventKind::store ? " before a newer value of" : " an older value of";
    before[traced.event.thread] = &traced;
    step.object = names.name(traced);
    if (!place.file.empty() && !place.system) {
      step.place = place.brief();
      step.file = place.file;
      step.line = place.line;
    }
    step.switched = i == 0 || traced.event.thread != events[i - 1].event.thread;
    if (step.switched && i > 0) step.why = reason_to_switch(events[i - 1], traced);
    if (traced.owner != no_thread && traced.owner != traced.event.thread) {
      // A lock that is another's and not waited for: its time has run out.
      if (traced.event.kind == EventKind::lock && !traced.blocked) step.action = "gives up on";
      step.object += fmt::format(", held by {}", thread_name(traced.owner));
    }
    steps.push_back(std::move(step));
  }
  if (!steps.empty()) steps.back().decisive = true;
  return steps;
}

namespace {

/// Which events are the two accesses of a race.
struct RacingEvents {
  std::size_t first, second;
};

std::optional<RacingEvents> find_race(const Incident& race, const std::vector<TracedEvent>& events) {
  const auto is_at = [](const TracedEvent& traced, SiteId site) {
    return !traced.blocked && static_cast<std::uint32_t>(traced.event.site) == static_cast<std::uint32_t>(site);
  };
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool by_second = events[i].event.thread == race.place.thread;
    if (first && by_second && is_at(events[i], race.place.site)) return RacingEvents{*first, i};
    if (!by_second && is_at(events[i], race.earlier.site)) first = i;
  }
  return std::nullopt;
}

}  // namespace

void end_at_race(const Incident& race, const std::vector<TracedEvent>& events, std::vector<Step>& steps) {
  const auto found = find_race(race, events);
  if (!found) return;
  steps.resize(found->second + 1);
  for (Step& step : steps) step.decisive = false;
  steps.back().decisive = true;
}

std::string describe_race(const Incident& race, const std::vector<TracedEvent>& events,
                          const std::vector<Step>& steps) {
  const auto found = find_race(race, events);
  if (!found) return {};
  const Step &first = steps[found->first], &second = steps[found->second];
  if (first.place.empty() || second.place.empty()) return {};
  return fmt::format("{}: {} {} {} at {}, {} {} it at {}, and {}", race_word(race.kind), second.thread, second.action,
                     second.object.empty() ? "memory" : second.object, second.place, first.thread, first.action,
                     first.place, what_orders(race));
}

std::vector<std::string> describe_older_values(const std::vector<TracedEvent>& events, const std::vector<Step>& steps,
                                               Symbolizer& symbolizer) {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (events[i].newer_by == no_thread || steps[i].place.empty()) continue;
    const SourcePlace& newer = symbolizer.locate(symbolizer.widen(events[i].newer_at));
    std::string text = fmt::format("{} at {} need not see what {} wrote at {}.", steps[i].thread, steps[i].place,
                                   thread_name(events[i].newer_by), newer.brief());
    if (std::find(told.begin(), told.end(), text) == told.end()) told.push_back(std::move(text));
  }
  return told;
}

std::string describe_waits(const std::vector<TracedEvent>& events, const std::vector<Step>& steps) {
  std::map<ThreadId, std::size_t> last;
  for (std::size_t i = 0; i < events.size(); ++i) last[events[i].event.thread] = i;
  std::vector<std::string> waits, joins;  // who waits for the end of another is stuck because the other is
  for (const auto& [thread, i] : last) {
    if (!events[i].blocked) continue;
    const Step& step = steps[i];
    std::string text = fmt::format("{} {}", step.thread, step.action);
    if (!step.object.empty()) text += " " + step.object;
    (events[i].event.kind == EventKind::join ? joins : waits).push_back(std::move(text));
  }
  waits.insert(waits.end(), joins.begin(), joins.end());
  return fmt::format("{}", fmt::join(waits, "; "));
}

}  // namespace muster
