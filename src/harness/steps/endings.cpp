#include "harness/steps/endings.hpp"

#include <fmt/format.h>

#include "harness/steps/steps.hpp"
#include "runtime/cut.hpp"
#include "runtime/sync.hpp"

namespace muster {
namespace {

std::string_view waits_for(EventKind kind) {
  switch (kind) {
    case EventKind::lock:
    case EventKind::lock_shared:
      return "waits for a lock";
    case EventKind::wait:
    case EventKind::timed_wait:
      return "waits to be notified";
    case EventKind::join:
      return "waits for the end of";
    case EventKind::futex_wait:
      return "sleeps until it is woken";
    case EventKind::acquire_semaphore:
      return "waits for a semaphore";
    case EventKind::arrive:
      return "waits at a barrier";
    case EventKind::once:
      return "waits for an initialisation";
    default:
      return "waits";
  }
}

/// "A waits for a lock that B holds; B …"
std::string describe_blocked(Engine& engine) {
  std::string text;
  for (unsigned i = 0; i < engine.thread_count(); ++i) {
    const Thread& t = engine.thread(static_cast<ThreadId>(i));
    if (t.status != Thread::Status::blocked) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", thread_name(t.id), waits_for(t.blocked_as));
    if (t.blocked_as == EventKind::join) text += " " + thread_name(static_cast<ThreadId>(t.blocked_on));
    const ThreadId owner = t.blocked_as == EventKind::lock || t.blocked_as == EventKind::lock_shared
                               ? sync::owner(t.blocked_on)
                               : no_thread;
    if (owner != no_thread)
      text += owner == i ? std::string(" that it holds itself") : fmt::format(" that {} holds", thread_name(owner));
  }
  return text;
}

}  // namespace

void append_ending(const Execution& execution, const Schedule& schedule, Engine& engine, bool leaks,
                   std::vector<Incident>& incidents) {
  Incident ending{.kind = IncidentKind::deadlock, .place = {}, .earlier = {}};
  if (execution.ending == Ending::stuck) {
    ending.kind = execution.livelock ? IncidentKind::livelock : IncidentKind::deadlock;
    const std::string blocked = describe_blocked(engine);
    ending.say(execution.livelock ? "every thread that can run repeats the same steps with nothing changing" +
                                        (blocked.empty() ? "" : "; " + blocked)
                                  : blocked);
  } else if (execution.ending == Ending::cut) {
    ending.kind = IncidentKind::hang;
    ending.say(why_cut(schedule, engine.options()));
  } else if (execution.ending == Ending::completed && leaks && engine.heap().blocks().live_blocks() > 0) {
    const TestHeap::Block* block = engine.heap().blocks().first_live();
    ending.kind = IncidentKind::leak;
    ending.place = {block->site, block->thread, EventKind::allocate};
    ending.address = reinterpret_cast<std::uintptr_t>(block + 1);
    const std::uint64_t blocks = engine.heap().blocks().live_blocks();
    ending.say(blocks == 1
                   ? fmt::format("a block of {} bytes is never freed; it was", block->size)
                   : fmt::format("{} blocks are never freed; the first, of {} bytes, was", blocks, block->size));
  } else {
    return;
  }
  incidents.push_back(ending);
}

}  // namespace muster
