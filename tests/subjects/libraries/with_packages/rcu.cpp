// Userspace RCU, as Debian compiles it: readers are waited for before what they may still read is freed.
#include <urcu/urcu-memb.h>

#include <atomic>
#include <thread>

#include "muster/scenario.hpp"

namespace {

struct Box {
  int value;
  rcu_head head;
};

std::atomic<Box*> current;

/// Reads what it finds, inside of a section or after it.
void read(bool too_late = false) {
  urcu_memb_register_thread();
  urcu_memb_read_lock();
  const Box* const box = current.load(std::memory_order_acquire);
  if (too_late) urcu_memb_read_unlock();
  MUSTER_REQUIRE(box->value == 1 || box->value == 2);
  if (!too_late) urcu_memb_read_unlock();
  urcu_memb_unregister_thread();
}

Box* replace() {
  Box* const made = new Box{2, {}};
  return current.exchange(made);
}

void free_box(rcu_head* head) { delete reinterpret_cast<Box*>(reinterpret_cast<char*>(head) - offsetof(Box, head)); }

template <class Read, class Write>
void with_a_box(Read read, Write write) {
  current = new Box{1, {}};
  std::thread reader(read), writer(write);
  reader.join();
  writer.join();
  delete current.load();
}

}  // namespace

MUSTER_SCENARIO(rcu_synchronize) {
  with_a_box([] { read(); },
             [] {
               Box* const old = replace();
               urcu_memb_synchronize_rcu();
               delete old;
             });
}

MUSTER_SCENARIO(rcu_without_synchronize) {
  with_a_box([] { read(); }, [] { delete replace(); });
}

MUSTER_SCENARIO(rcu_reads_too_late) {
  with_a_box([] { read(true); },
             [] {
               Box* const old = replace();
               urcu_memb_synchronize_rcu();
               delete old;
             });
}

MUSTER_SCENARIO(rcu_call) {
  with_a_box([] { read(); },
             [] {
               urcu_memb_call_rcu(&replace()->head, free_box);
               urcu_memb_barrier();
             });
}

MUSTER_SCENARIO(rcu_waits_for_itself) {
  urcu_memb_read_lock();
  urcu_memb_synchronize_rcu();
  urcu_memb_read_unlock();
}

// What a wait that has begun protects: the flag is seen by whoever comes in later.
MUSTER_SCENARIO(rcu_begins_later) {
  int flag = 0;
  std::atomic<bool> inside = false;
  std::thread reader([&] {
    urcu_memb_read_lock();
    inside = true;
    urcu_memb_read_unlock();
  });
  std::thread writer([&] {
    if (!inside) return;
    urcu_memb_synchronize_rcu();
    flag = 1;
  });
  reader.join();
  writer.join();
  MUSTER_REQUIRE(flag == 0 || inside);
}
