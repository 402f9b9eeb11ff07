#pragma once
// What one transition of a thread touches: the part of an event that decides whether two transitions commute.

#include <cstdint>

#include "base/event.hpp"

namespace muster {

enum class AccessMode : std::uint8_t {
  read,     // commutes with reads
  write,    // commutes with nothing
  commute,  // commutes with its like: entering a queue of which every waiter may be woken, taking a lock shared
};

struct Access {
  ObjectId object = 0;
  std::uint32_t size = 1;
  AccessMode mode = AccessMode::read;
  bool blocking = false;     // could happen only after an enabling access of the same object
  bool enabling = false;     // may end the waiting of others
  bool counted = false;      // takes one of several: which earlier taker it competes with is not known
  bool alternative = false;  // had the other thread not come first, this one could have gone on too, by its deadline
  bool changes = true;       // a write: of another value than was there
  std::int32_t left = -1;    // of what is counted: so much, afterwards

  bool overlaps(const Access& other) const {
    return object < other.object + other.size && other.object < object + size;
  }
};

constexpr bool conflict(AccessMode a, AccessMode b) {
  return a == AccessMode::write || b == AccessMode::write || a != b;
}

inline bool conflict(const Access& a, const Access& b) { return conflict(a.mode, b.mode) && a.overlaps(b); }

/// Objects that are no memory. Locks and queues have the address of what they belong to, apart from the memory itself.
namespace objects {
// Not an object: the running thread yields or reads again what it read before, so that leaving it here is no
// preemption.
constexpr ObjectId free_switch = 0;
// Eight apart, as words are.
constexpr ObjectId clock = 8, spurious_failures = 16, thread_ids = 24, freed_blocks = 32;
constexpr ObjectId thread(ThreadId id) { return 1024 + 8 * ObjectId{id}; }
constexpr ObjectId wake_up(ThreadId id) { return 2048 + 8 * ObjectId{id}; }
constexpr ObjectId debut(ThreadId id) { return 3072 + 8 * ObjectId{id}; }
constexpr bool is_debut(ObjectId object) { return object >= debut(0) && object < debut(max_threads); }
constexpr ObjectId queue(ObjectId address) { return address | ObjectId{1} << 62; }
constexpr bool is_queue(ObjectId object) { return object >> 62 & 1; }
}  // namespace objects

/// Whether a thread had something to wait for, other than its own start, to touch this.
inline bool waits(ThreadId thread, const Access& access) {
  return access.blocking && access.object != objects::thread(thread) && !objects::is_debut(access.object);
}

}  // namespace muster
