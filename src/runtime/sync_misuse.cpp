// What nobody may do with what blocks, and the beginnings and ends of such objects.

#include <fmt/format.h>

#include "runtime/memory.hpp"
#include "runtime/sync.hpp"
#include "runtime/sync_queues.hpp"

namespace muster::sync {
namespace {

std::string_view deed(EventKind kind) {
  switch (kind) {
    case EventKind::lock:
    case EventKind::try_lock:
    case EventKind::lock_shared:
    case EventKind::try_lock_shared:
      return "locks a lock";
    case EventKind::unlock:
    case EventKind::unlock_shared:
      return "unlocks a lock";
    case EventKind::wait:
    case EventKind::timed_wait:
      return "waits on a condition variable";
    case EventKind::notify_one:
    case EventKind::notify_all:
      return "notifies a condition variable";
    case EventKind::acquire_semaphore:
      return "takes from a semaphore";
    case EventKind::release_semaphore:
      return "gives to a semaphore";
    case EventKind::arrive:
      return "arrives at a barrier";
    default:
      return "uses something";
  }
}

/// Where the first bytes of an object were written last.
std::uint32_t written_at(ObjectId address) {
  const Cell* cell = engine->races().arena().cell(address);
  return cell && cell->generation == engine->races().generation() ? cell->write_site : 0;
}

/// Initialising and destroying are writes: who uses the object must be ordered before or after. What lies in the data
/// of a library that is not watched is its own affair.
void overwrite(ObjectId address, SiteId site) {
  if (!engine->races().arena().knows(address)) return;
  engine->reduction().touches({.object = address, .size = sizeof destroyed_mark, .mode = AccessMode::write});
  Memory(*engine).plain(address, sizeof destroyed_mark, true, site);
}

[[noreturn]] void misused_by(ThreadId thread, SiteId site, std::string_view what, std::uint32_t earlier_site) {
  Incident misuse{.kind = IncidentKind::misuse,
                  .place = {site, thread, EventKind::start},
                  .earlier = {earlier_site, no_thread, EventKind::start}};
  misuse.say(what);
  engine->fatal(misuse);
}

/// Whoever held it holds it no more.
void take_away(Object& lock) {
  if (lock.owner != no_thread) --engine->thread(lock.owner).locks;
  for_each(lock.readers, [](ThreadId reader) { --engine->thread(reader).locks; });
}

void start_anew(ObjectId address) {
  Object* old = table.find(address);
  if (!old) return;
  take_away(*old);
  table.restart(*old);
}

}  // namespace

void misused(SiteId site, std::string_view what, std::uint32_t earlier_site) {
  misused_by(engine->current().id, site, what, earlier_site);
}

void used_after_destruction(ObjectId address, SiteId site) {
  const EventKind kind = engine->next_event().kind;
  misused(site, fmt::format("{} that was destroyed", deed(kind)), written_at(address));
}

void remake(ObjectId address, SiteId site) {
  overwrite(address, site);
  start_anew(address);
}

void init(ObjectId address, SiteId site) {
  touch_queue(address, AccessMode::write);
  remake(address, site);
}

void destroy(ObjectId address, std::string_view what, SiteId site) {
  engine->reduction().begin_another();
  const std::uint32_t earlier = written_at(address);
  overwrite(address, site);
  touch_queue(address, AccessMode::write);
  if (first_word(address) == destroyed_mark)
    misused(site, fmt::format("destroys {} that was destroyed", what), earlier);
  if (const Object* object = table.find(address)) {
    if (object->owner != no_thread || object->readers != 0)
      misused(site, fmt::format("destroys {} that was locked", what), object->site);
    if (object->waiters | object->writers)
      misused(site, fmt::format("destroys {} that another thread waits for", what));
  }
  start_anew(address);
  if (engine->races().arena().knows(address)) first_word(address) = destroyed_mark;
}

void look_for_locks_left() {
  table.for_each([](const Object& lock) {
    const std::uint64_t holders = lock.owner == no_thread ? lock.readers : bit(lock.owner);
    for_each(holders, [&](ThreadId holder) {
      if (engine->thread(holder).internal) misused_by(holder, 0, "ended with a lock that it took", lock.site);
    });
  });
}

void forget(std::uintptr_t address, std::size_t size) {
  table.for_each([&](Object& object) {
    if (object.address - address >= size || (object.waiters | object.writers) != 0) return;
    take_away(object);
    table.restart(object);
  });
}

}  // namespace muster::sync
