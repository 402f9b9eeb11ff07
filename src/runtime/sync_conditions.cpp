// Reader-writer locks whose holders wait for something while they let go of them.

#include "runtime/sync.hpp"
#include "runtime/sync_queues.hpp"

namespace muster::sync {

bool wait_released(ObjectId queue_address, ObjectId rwlock, ObjectId awaited, SiteId site,
                   const std::uint64_t* deadline) {
  const EventKind kind = deadline ? EventKind::timed_wait : EventKind::wait;
  engine->point(kind, queue_address, site);
  use(rwlock, site);
  Object& lock = table[rwlock];
  Object& queue = table[queue_address];
  const ThreadId me = engine->current().id;
  const bool exclusive = lock.owner == me;
  put_back(lock, site);
  touch_queue(queue, AccessMode::commute);
  queue.waiters |= bit(me);
  const bool woken = engine->blocking().block(kind, awaited, deadline);
  touch({.object = objects::wake_up(me), .blocking = deadline == nullptr, .alternative = deadline != nullptr});
  if (deadline) {
    touch_queue(queue, AccessMode::commute);
    touch_clock();
  }
  queue.waiters &= ~bit(me);
  if (exclusive)
    lock_exclusive(rwlock, site);
  else
    lock_shared(rwlock, site);
  return woken;
}

std::uint64_t waiting(ObjectId address) {
  const Object* queue = table.find(address);
  const std::uint64_t waiters = queue ? queue->waiters : 0;
  touch_queue(address, waiters ? AccessMode::write : AccessMode::read);
  return waiters;
}

void wake_waiter(ObjectId address, ThreadId id) {
  table[address].waiters &= ~bit(id);
  wake(id);
}

}  // namespace muster::sync
