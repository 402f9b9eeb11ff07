#pragma once
// The state of everything that blocks, found by address. Void at the start of each execution.

#include <array>
#include <cstdint>

#include "memory/clock.hpp"
#include "memory/pool.hpp"

namespace muster::sync {

struct Object {
  ObjectId address;
  std::uint64_t waiters;            // threads that wait for it or are about to take it
  std::uint64_t writers;            // the same, for taking a reader-writer lock exclusively
  std::uint64_t readers;            // threads that hold it shared
  ObjectId mutex;                   // that those who wait on a condition variable have released
  std::uint32_t bits[max_threads];  // a futex waiter's bit set; how often a reader holds the lock
  std::int32_t count;               // recursion, semaphore value, arrivals
  std::uint32_t size;               // a barrier's participants
  std::uint32_t phase;              // a barrier's generation; what a once, or a robust mutex, has come to
  std::uint32_t site;               // low half of where it was taken last
  bool robust;
  ThreadId owner;
  Clock clock;
};

class Table {
 public:
  /// The object at an address; a new one is unlocked, empty, zero.
  Object& operator[](ObjectId address);
  Object* find(ObjectId address);
  template <class Function>
  void for_each(Function function) {
    for (std::uint32_t i = 1; i <= objects_.size(); ++i) function(objects_[i]);
  }
  void reset();
  void restart(Object& object);
  std::uint64_t state_hash();
  void pass(Tape& tape);

 private:
  struct Slot {
    ObjectId address;
    std::uint32_t number;
    std::uint32_t generation;
  };
  static constexpr std::size_t capacity = 1 << 14;
  void enter(ObjectId address, std::uint32_t number);

  std::array<Slot, capacity> slots_{};
  std::uint32_t generation_ = 1;
  Pool<Object> objects_;
};

}  // namespace muster::sync
