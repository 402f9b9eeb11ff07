#include "harness/steps/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

#include "harness/steps/library_words.hpp"
#include "harness/steps/object_names.hpp"
#include "symbols/source_files.hpp"

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

/// The last of those before `i` that was no access beside the points.
const TracedEvent& last_point(const std::vector<TracedEvent>& events, std::size_t i) {
  std::size_t last = i - 1;
  while (last > 0 && events[last].aside && events[last - 1].event.thread == events[last].event.thread) --last;
  return events[last];
}

bool is_wait(EventKind kind) {
  return kind == EventKind::wait || kind == EventKind::timed_wait || kind == EventKind::futex_wait;
}

bool is_notification(EventKind kind) {
  return kind == EventKind::notify_one || kind == EventKind::notify_all || kind == EventKind::futex_wake;
}

/// By the event before of the same thread, if there is one: that by which it goes on after it has slept is of the same
/// kind as that by which it went to sleep.
std::string_view action_of(const TracedEvent& traced, const TracedEvent* before) {
  const EventKind kind = traced.event.kind;
  if (traced.blocked) return awaits(kind);
  if (is_wait(kind) && before && before->blocked) return "wakes up on";
  switch (traced.values.deed) {
    case AccessValues::Deed::exchange:
      return "exchanges";
    case AccessValues::Deed::failed_exchange:
      return "tries";
    default:
      return verb(kind);
  }
}

/// Why it goes on, or does not.
std::string reason_of(const TracedEvent& traced) {
  const EventKind kind = traced.event.kind;
  if (traced.blocked) return traced.timed ? ", until its deadline" : "";
  if (is_notification(kind)) return traced.wakes_nobody ? ": nobody waits" : "";
  if (traced.spurious && traced.values.deed == AccessValues::Deed::none)
    return is_wait(kind) ? ": wakes up spuriously" : ": fails spuriously";
  if (!is_wait(kind)) return "";
  if (traced.expired) return ": its deadline has come";
  return traced.woken_by == no_thread ? "" : fmt::format(": notified by {}", thread_name(traced.woken_by));
}

/// That it took no notice of the newest value.
std::string staleness_of(const TracedEvent& traced, ObjectNames& names) {
  if (traced.values.missed.writer == no_thread) return "";
  const std::string newest = names.newest_value(traced);
  const std::string_view how = traced.event.kind == EventKind::store ? "before" : "stale:";
  return fmt::format(", {} {} wrote {}", how, thread_name(traced.values.missed.writer),
                     newest.empty() ? "another value" : newest);
}

/// After a wait, the thread may have to wait for the lock that it gave up, too: then it goes on by taking it, which has
/// no event of its own.
TracedEvent as_locking(TracedEvent traced, const TracedEvent* before) {
  const bool locks = is_wait(traced.event.kind) && !traced.blocked && before && before->blocked &&
                     before->event.kind == EventKind::lock;
  if (!locks) return traced;
  traced.event.kind = EventKind::lock;
  traced.event.object = before->event.object;
  traced.location = before->location;
  return traced;
}

/// Where the function of the place was called; empty where that says nothing more.
std::string caller_of(const SourcePlace& place, const std::vector<SourcePlace>& places, ToStepsOptions options) {
  constexpr std::string_view lambda = "operator()";
  for (std::size_t i = 1; i < places.size(); ++i) {
    const SourcePlace& outer = places[i];
    if (outer.file == place.file && outer.line == place.line) continue;
    const bool calls_operation = options.in_operations && i + 1 == places.size() && outer.function == lambda;
    return calls_operation ? "" : outer.brief();
  }
  return {};
}

}  // namespace

std::string thread_name(ThreadId thread) {
  if (thread == 0) return "main";
  if (thread <= 26) return std::string(1, static_cast<char>('A' + thread - 1));
  return fmt::format("T{}", thread);
}

std::vector<Step> to_steps(const std::vector<TracedEvent>& events, Symbolizer& symbolizer, ToStepsOptions options) {
  std::vector<Step> steps;
  SourceFiles sources;
  std::map<ThreadId, const TracedEvent*> before;  // of each thread
  ObjectNames names(events, symbolizer);
  LibraryWords library(events, symbolizer);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto last = before.find(events[i].event.thread);
    const TracedEvent* const last_own = last == before.end() ? nullptr : last->second;
    const TracedEvent traced = as_locking(events[i], last_own);
    std::size_t frames = 0;
    while (frames < traced_frames && traced.stack[frames] != 0) ++frames;
    const std::span<const std::uint64_t> stack(traced.stack, frames);
    const SourcePlace& place = symbolizer.locate(stack);
    Step step;
    step.thread = thread_name(traced.event.thread);
    step.action = action_of(traced, last_own);
    before[traced.event.thread] = &events[i];
    step.object = names.name(traced);
    step.detail = names.values(traced) + reason_of(traced) + staleness_of(traced, names);
    if (!place.file.empty() && !place.system) {
      step.place = place.brief();
      step.file = place.file;
      step.line = place.line;
      step.source = sources.line(place.file, place.line);
      step.caller = caller_of(place, symbolizer.places(stack), options);
    }
    if (traced.event.kind == EventKind::ret) {
      if (!step.place.empty()) step.place = "after " + step.place;
      step.caller.clear();
    }
    library.retell(traced, stack, step);
    step.switched = i == 0 || traced.event.thread != events[i - 1].event.thread;
    if (step.switched && i > 0) step.why = reason_to_switch(last_point(events, i), traced);
    if (traced.owner != no_thread && traced.owner != traced.event.thread) {
      // A lock that is another's and not waited for: its time has run out.
      if (traced.event.kind == EventKind::lock && !traced.blocked) step.action = "gives up on";
      step.object += fmt::format(", held by {}", thread_name(traced.owner));
    }
    steps.push_back(std::move(step));
  }
  if (!steps.empty()) steps.back().decisive = true;
  if (options.blocks) *options.blocks = names.blocks();
  return steps;
}

namespace {

std::string_view name(Order order) {
  constexpr std::string_view names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return names[static_cast<unsigned>(order)];
}

/// Which orders would have made the newest value visible.
std::string describe_remedy(const AccessValues::Missed& missed, Symbolizer& symbolizer) {
  if (missed.only_strong)
    return " No acquire and release would, as it read nothing written later; seq_cst of all would.";
  std::vector<std::string> changes;
  for (unsigned i = 0; i < missed.weak_count; ++i) {
    const AccessValues::Missed::Weak& weak = missed.weak[i];
    changes.push_back(fmt::format("{} ({}) {}", symbolizer.locate(symbolizer.widen(weak.site)).brief(),
                                  name(weak.order), weak.releases ? "released" : "acquired"));
  }
  return changes.empty() ? "" : fmt::format(" It would be if {}.", fmt::join(changes, " and "));
}

/// What its thread did to it, and what that took no notice of.
std::string describe_older_value(const TracedEvent& traced, const Step& step, const std::string& newest,
                                 const std::string& staleness, Symbolizer& symbolizer) {
  const AccessValues::Missed& missed = traced.values.missed;
  const SourcePlace& newer = symbolizer.locate(symbolizer.widen(missed.site));
  const std::string place = step.place.empty() ? "" : fmt::format(" at {}", step.place);
  const std::string value = newest.empty() ? "a newer value" : newest;
  const std::string detail = step.detail.substr(0, step.detail.rfind(staleness));
  const std::string what =
      fmt::format("{} {} {}{}{}{} ({})", step.thread, step.action, step.object.empty() ? "an atomic" : step.object,
                  detail.empty() || detail[0] == ':' ? "" : " ", detail, place, name(missed.order));
  if (traced.event.kind == EventKind::store)
    return fmt::format("{}: before {}, which {} had written at {} ({}) and {} need not know of.", what, value,
                       thread_name(missed.writer), newer.brief(), name(missed.written), step.thread);
  return fmt::format("{}: stale. {} had written {} at {} ({}), and nothing makes that visible to {}.{}", what,
                     thread_name(missed.writer), value, newer.brief(), name(missed.written), step.thread,
                     describe_remedy(missed, symbolizer));
}

}  // namespace

std::vector<std::string> describe_older_values(const std::vector<TracedEvent>& events, const std::vector<Step>& steps,
                                               Symbolizer& symbolizer) {
  const auto misses = [](const TracedEvent& traced) { return traced.values.missed.writer != no_thread; };
  if (std::ranges::none_of(events, misses)) return {};
  ObjectNames names(events, symbolizer);
  std::vector<std::string> told;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!misses(events[i])) continue;
    std::string text = describe_older_value(events[i], steps[i], names.newest_value(events[i]),
                                            staleness_of(events[i], names), symbolizer);
    if (std::ranges::find(told, text) == told.end()) told.push_back(std::move(text));
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
