// Kind and sentence of what happened.

#include <fmt/format.h>
#include <signal.h>

#include <optional>
#include <regex>

#include "harness/steps/steps.hpp"

namespace muster {
namespace {

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

Finding describe(const std::string& subject, const Incident& incident, Symbolizer& symbolizer) {
  Finding finding;
  finding.subject = subject;
  finding.kind = kind_of(incident.kind);
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
      finding.sentence = fmt::format("use after free: {} uses memory{}, freed by {} at {}", who, place,
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
  steps[found->first].races = true;
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

}  // namespace muster
