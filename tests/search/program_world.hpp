#pragma once
// What small programs work on when they run on the engine, and what a thread of one does to it in loops and to
// references.

#include <utility>

#include "base/hash.hpp"
#include "search/small_program.hpp"

namespace muster::test {

/// Counts and what they own, as std::shared_ptr has them: two counts that are also read as one number.
struct Block {
  alignas(8) std::uint32_t strong;
  std::uint32_t weak;
  std::uint32_t word, plain;
  std::uint64_t mutex, condition;  // where a destroyed one would say so
};

// What the program works on. Reset at the start of each execution.
struct World {
  std::uint32_t atomics[4];
  std::uint32_t plains[4];
  std::uint64_t mutexes[4], conditions[4], rwlocks[4], semaphores[4], barriers[4], onces[4];
  Block* block;
  bool freed;
};
extern World world;

struct Log {
  static constexpr unsigned most_reads = 64;
  std::uint32_t reads[most_threads][most_reads];
  unsigned counts[most_threads];
  bool finished[most_threads];
};
extern Log outcome_log;

inline ObjectId id(const void* address) { return reinterpret_cast<ObjectId>(address); }

inline std::uint32_t* word(unsigned object) { return object == in_block ? &world.block->word : &world.atomics[object]; }
inline std::uint32_t* plain_word(unsigned object) {
  return object == in_block ? &world.block->plain : &world.plains[object];
}
inline ObjectId mutex(unsigned object) { return id(object == in_block ? &world.block->mutex : &world.mutexes[object]); }
inline ObjectId condition(unsigned object) {
  return id(object == in_block ? &world.block->condition : &world.conditions[object]);
}

/// What it does next depends on its state and the memory alone.
class ProgramThread {
 public:
  explicit ProgramThread(unsigned thread) : thread_(thread) {}

  std::uint64_t state() const { return mix(mix(mix(site_ + place_, last_), mix(old_, turns_)), seen_); }

 protected:
  static constexpr Order order = Order::seq_cst;

  /// Which step of its instruction comes next is part of its state: it would seem to be back where it was otherwise.
  SiteId at(SiteId place) {
    place_ = place;
    return site_ + place;
  }

  void see(std::uint32_t value) {
    last_ = value;
    seen_ = mix(seen_, value);
    unsigned& count = outcome_log.counts[thread_];
    if (count < Log::most_reads) outcome_log.reads[thread_][count++] = value;
  }

  std::uint32_t load(const std::uint32_t* from, SiteId place = 0) {
    return Memory(*engine).load(from, order, at(place));
  }
  std::uint32_t add(std::uint32_t* to, std::uint32_t much, Order how = order, SiteId place = 0) {
    return Memory(*engine)
        .rmw(to, how, how, at(place), [&](std::uint32_t old) { return std::optional(old + much); })
        .old;
  }
  std::uint32_t exchange(std::uint32_t* to, std::uint32_t value) {
    return Memory(*engine).rmw(to, order, order, site_, [&](std::uint32_t) { return std::optional(value); }).old;
  }
  std::uint32_t compare_exchange(std::uint32_t* to, std::uint32_t expected, std::uint32_t desired, SiteId place = 0) {
    const auto change = [&](std::uint32_t old) { return old == expected ? std::optional(desired) : std::nullopt; };
    return Memory(*engine).rmw(to, order, order, at(place), change).old;
  }
  std::uint32_t plain_load(const std::uint32_t* from, SiteId place = 0) {
    Memory(*engine).plain(id(from), 4, false, at(place));
    return *from;
  }
  void plain_store(std::uint32_t* to, std::uint32_t value, SiteId place = 0) {
    Memory(*engine).plain(id(to), 4, true, at(place));
    *to = value;
  }

  void increment(std::uint32_t* to) {
    old_ = load(to);
    ++site_;
    for (std::uint32_t seen = 0; (seen = compare_exchange(to, old_, old_ + 1)) != old_;) old_ = seen;
    see(std::exchange(old_, 0));
  }

  /// Reads two words and tries to change the first, all anew after a failure; with a memory of failures if `counts`.
  void retry_both(std::uint32_t* to, bool counts) {
    std::uint32_t failures = 0;
    for (const SiteId first = site_;; site_ = first) {
      old_ = load(to);
      ++site_;
      const std::uint32_t other = load(to == world.atomics ? to + 1 : to - 1);
      last_ = mix(failures, other) & 0xffffff;
      ++site_;
      const std::uint32_t seen = compare_exchange(to, old_, old_ + other + 1);
      if (seen == old_) break;
      if (counts) ++failures;
    }
    see(std::exchange(old_, 0));
    see(failures);
  }

  /// Increments a word, and reads a plain one after each failure, for nothing.
  void look_and_retry(std::uint32_t* to, unsigned plain) {
    for (const SiteId first = site_;; site_ = first) {
      old_ = load(to);
      ++site_;
      if (compare_exchange(to, old_, old_ + 1) == old_) break;
      ++site_;
      Memory(*engine).plain(id(&world.plains[plain]), 4, false, site_);
    }
    see(std::exchange(old_, 0));
  }

  /// Whether two variables have the values that the instruction names; the second is looked at if the first one has.
  bool holds(const Instruction& i) {
    const bool first = i.op == Op::await_atomic ? load(word(0)) == i.value : plain_load(plain_word(0)) == i.value;
    if (!first) return false;
    return i.op == Op::await_plain ? plain_load(plain_word(1), 1) == i.other : load(word(1), 1) == i.other;
  }

  /// As std::lock does.
  void lock_both(unsigned first) {
    for (old_ = first;; old_ = 1 - old_) {
      sync::lock(mutex(old_), sync::MutexKind::normal, at(0));
      if (sync::try_lock(mutex(1 - old_), sync::MutexKind::normal, at(1)) == sync::LockResult::taken) break;
      sync::unlock(mutex(old_), sync::MutexKind::normal, at(2));
    }
    old_ = 0;
  }

  /// Looks so often at most, and remembers how often it looked in vain.
  void poll(const std::uint32_t* at, std::uint32_t value, unsigned most) {
    for (turns_ = 0; turns_ < most && load(at) != value;) ++turns_;
    see(std::exchange(turns_, 0));
  }

  // ---- as libstdc++ 12 counts references ----

  void release_strong() {
    const auto* const both = reinterpret_cast<const std::uint64_t*>(&world.block->strong);
    if (Memory(*engine).load(both, Order::acquire, site_) == 0x1'0000'0001) {
      plain_store(&world.block->strong, 0, 1);
      plain_store(&world.block->weak, 0, 2);
      dispose();
      return destroy();
    }
    if (add(&world.block->strong, ~0u, Order::acq_rel, 5) != 1) return;
    dispose();
    if (add(&world.block->weak, ~0u, Order::acq_rel, 6) == 1) destroy();
  }
  void release_weak() {
    if (add(&world.block->weak, ~0u, Order::acq_rel) == 1) destroy();
  }
  /// Another owner, if there is one still.
  bool lock_weak() {
    old_ = Memory(*engine).load(&world.block->strong, Order::relaxed, site_);
    ++site_;
    while (old_ != 0) {
      const std::uint32_t seen = compare_exchange(&world.block->strong, old_, old_ + 1);
      if (seen == std::exchange(old_, seen)) break;
    }
    see(std::exchange(old_, 0) != 0);
    return last_ != 0;
  }
  void dispose() { plain_store(&world.block->plain, 7, 3); }
  void destroy() {
    engine->heap().deallocate(world.block, Allocator::object, site_ + 4);
    world.freed = true;
  }

  unsigned thread_;
  SiteId site_ = 0;
  SiteId place_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t old_ = 0;
  std::uint32_t turns_ = 0;
  std::uint64_t seen_ = 0;  // all that it read: outcomes tell it
};

}  // namespace muster::test
