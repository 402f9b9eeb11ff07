// What is waited for without being owned: semaphores, barriers, once, futexes, the ends of threads.

#include "runtime/sync.hpp"
#include "runtime/sync_queues.hpp"

namespace muster::sync {
namespace {

enum OncePhase : std::uint32_t { fresh, running, done };

void take_one(Object& semaphore, Patience patience) {
  --semaphore.count;
  touch({.object = objects::queue(semaphore.address),
         .mode = AccessMode::write,
         .blocking = patience == Patience::endless,
         .counted = true,
         .left = semaphore.count});
  engine->races().acquire(semaphore.clock);
  if (semaphore.count == 0) reblock_all(semaphore.waiters);
  engine->changed(semaphore.address);
}

}  // namespace

// ---- semaphores ----

void semaphore_init(ObjectId address, unsigned value, SiteId site) {
  touch({.object = objects::queue(address), .mode = AccessMode::write, .left = static_cast<std::int32_t>(value)});
  remake(address, site);
  table[address].count = static_cast<std::int32_t>(value);
}

bool acquire(ObjectId address, SiteId site, const std::uint64_t* deadline) {
  Object& semaphore = table[address];
  const auto available = [&] { return semaphore.count > 0; };
  if (!await(semaphore, &Object::waiters, EventKind::acquire_semaphore, site, deadline, available)) return false;
  take_one(semaphore, patience_of(deadline));
  return true;
}

bool try_acquire(ObjectId address, SiteId site) {
  Object& semaphore = table[address];
  engine->reading_point(EventKind::acquire_semaphore, address, site, static_cast<std::uint64_t>(semaphore.count));
  use(address, site);
  if (semaphore.count == 0) {
    touch_queue(semaphore, AccessMode::read);
    return false;
  }
  take_one(semaphore, Patience::none);
  return true;
}

void release(ObjectId address, SiteId site) {
  engine->point(EventKind::release_semaphore, address, site);
  use(address, site);
  Object& semaphore = table[address];
  ++semaphore.count;
  touch({.object = objects::queue(address), .mode = AccessMode::write, .enabling = true, .left = semaphore.count});
  given_back(semaphore);
  engine->wrote(address);
}

int semaphore_value(ObjectId address, SiteId site) {
  use(address, site);
  touch_queue(address, AccessMode::read);
  return table[address].count;
}

bool knows(ObjectId address) { return table.find(address) != nullptr; }

void adopt_semaphore(ObjectId address, unsigned value) { table[address].count = static_cast<std::int32_t>(value); }

// ---- barriers ----

void barrier_init(ObjectId address, unsigned count, SiteId site) {
  init(address, site);
  table[address].size = count;
}

void adopt_barrier(ObjectId address, unsigned count) { table[address].size = count; }

bool arrive_and_wait(ObjectId address, SiteId site) {
  engine->point(EventKind::arrive, address, site);
  use(address, site);
  touch_queue(address, AccessMode::write);
  Object& barrier = table[address];
  engine->races().release(barrier.clock);
  engine->wrote(address);
  if (static_cast<std::uint32_t>(++barrier.count) == barrier.size) {
    barrier.count = 0;
    ++barrier.phase;
    // Once somebody has come through, the barrier may be destroyed: the others need it no more.
    for_each(barrier.waiters, [&](ThreadId id) { engine->races().hand_over(barrier.clock, id); });
    wake_all(barrier);
    engine->races().acquire(barrier.clock);
    return true;
  }
  block_on(barrier, EventKind::arrive, nullptr);
  return false;
}

// ---- once ----

/// It was done before there was control; or what lay there was done, and this is another one in the same place.
void adopt_once(ObjectId address, bool is_done) {
  Object& once = table[address];
  if (is_done == (once.phase == done)) return;
  if (is_done) {
    once.phase = done;
  } else if (once.phase == done) {
    table.restart(once);
  }
}

bool once_begin(ObjectId address, SiteId site) {
  engine->point(EventKind::once, address, site);
  use(address, site);
  Object& once = table[address];
  while (once.phase == running) {
    touch_queue(once, AccessMode::read);
    block_on(once, EventKind::once, nullptr);
  }
  engine->races().acquire(once.clock);
  touch_queue(once, once.phase == done ? AccessMode::read : AccessMode::write);
  if (once.phase == done) return false;
  once.phase = running;
  return true;
}

void once_end(ObjectId address, bool finished) {
  engine->reduction().begin_another();
  touch_queue(address, AccessMode::write);
  Object& once = table[address];
  once.phase = finished ? done : fresh;
  engine->races().release(once.clock);
  wake_all(once);
  engine->wrote(address);
}

// ---- futexes ----

namespace {

/// For the running thread, as if by a relaxed load of the newest value.
void kernel_reads(std::uintptr_t address, SiteId site) {
  if (engine->has_older_values()) return engine->older_values().look(address, 4, site);
  engine->races().load(address, 4, Order::relaxed, site);
}

}  // namespace

FutexResult futex_wait(std::uint32_t* word, std::uint32_t expected, SiteId site, const std::uint64_t* deadline,
                       std::uint32_t bits) {
  const auto address = reinterpret_cast<ObjectId>(word);
  engine->reading_point(EventKind::futex_wait, address, site, __atomic_load_n(word, __ATOMIC_RELAXED));
  touch({.object = address, .size = 4});
  touch_queue(address, AccessMode::commute);
  kernel_reads(address, site);
  if (__atomic_load_n(word, __ATOMIC_RELAXED) != expected) return FutexResult::value_differs;
  if (engine->fails_spuriously()) return FutexResult::woken;
  Object& queue = table[address];
  Thread& me = engine->current();
  queue.bits[me.id] = bits;
  const bool woken = block_on(queue, EventKind::futex_wait, deadline);
  if (me.blocked_on != address) {  // moved there meanwhile
    touch_queue(me.blocked_on, AccessMode::commute);
    table[me.blocked_on].waiters &= ~bit(me.id);
  }
  return woken ? FutexResult::woken : FutexResult::expired;
}

namespace {

unsigned wake_waiters(ObjectId address, unsigned count, std::uint32_t bits) {
  Object* queue = table.find(address);
  touch_queue(address, queue && queue->waiters ? AccessMode::write : AccessMode::read);
  if (!queue) return 0;
  std::uint64_t candidates = 0;
  for (std::uint64_t mask = queue->waiters; mask; mask &= mask - 1) {
    const auto id = static_cast<ThreadId>(std::countr_zero(mask));
    if (queue->bits[id] & bits) candidates |= bit(id);
  }
  unsigned woken = 0;
  while (woken < count && candidates) {
    const bool all =
        count - woken >= static_cast<unsigned>(std::popcount(candidates));  // then the order is no decision
    const ThreadId id = all ? static_cast<ThreadId>(std::countr_zero(candidates)) : wake_one(*queue, candidates);
    if (all) {
      queue->waiters &= ~bit(id);
      wake(id);
    }
    candidates &= ~bit(id);
    ++woken;
  }
  return woken;
}

}  // namespace

unsigned futex_wake(std::uint32_t* word, unsigned count, SiteId site, std::uint32_t bits) {
  const auto address = reinterpret_cast<ObjectId>(word);
  engine->point(EventKind::futex_wake, address, site);
  return wake_waiters(address, count, bits);
}

std::optional<unsigned> futex_requeue(std::uint32_t* word, unsigned count, unsigned move, std::uint32_t* to,
                                      SiteId site, const std::uint32_t* expected) {
  const auto address = reinterpret_cast<ObjectId>(word);
  engine->point(EventKind::futex_wake, address, site);
  if (expected) {
    touch({.object = address, .size = 4});
    kernel_reads(address, site);
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != *expected) return std::nullopt;
  }
  unsigned done = wake_waiters(address, count, ~0u);
  touch_queue(reinterpret_cast<ObjectId>(to), AccessMode::write);
  Object* queue = table.find(address);
  if (!queue) return done;
  Object& target = table[reinterpret_cast<ObjectId>(to)];
  for (; move > 0 && queue->waiters; --move, ++done) {
    const auto id = static_cast<ThreadId>(std::countr_zero(queue->waiters));
    queue->waiters &= ~bit(id);
    target.waiters |= bit(id);
    target.bits[id] = queue->bits[id];
    engine->thread(id).blocked_on = target.address;
  }
  return done;
}

// ---- joins ----

bool join(ThreadId id, SiteId site, const std::uint64_t* deadline) {
  engine->blocking().arrive(EventKind::join, id,
                            site);  // joining a thread that is done commutes with everything: no point either
  Thread& child = engine->thread(id);
  const ThreadId me = engine->current().id;
  if (child.status == Thread::Status::finished) engine->reduction().begin_another();
  while (child.status != Thread::Status::finished) {
    child.joiners |= bit(me);
    const bool woken = engine->blocking().block(EventKind::join, id, deadline);
    child.joiners &= ~bit(me);
    if (deadline) touch_clock();
    if (!woken && child.status != Thread::Status::finished) {
      touch({.object = objects::thread(id)});
      return false;
    }
  }
  touch({.object = objects::thread(id), .blocking = deadline == nullptr});
  touch({.object = objects::free_switch});
  engine->blocking().was_joined(id);
  engine->races().join(id);
  engine->blocking().look_whether_alone();
  engine->reduction().stop_reporting();
  return true;
}

}  // namespace muster::sync
