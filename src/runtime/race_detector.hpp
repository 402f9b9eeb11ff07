#pragma once
// Happens-before race detection, exact about the declared memory orders: release sequences as in C++20, fences, and an allocation counts
// as a write of the block. Values are sequentially consistent, but only what the orders promise orders plain accesses, so a relaxed
// publication is a race.
//
// After FastTrack (Flanagan, Freund 2009): the last write and the last read of 8 bytes fit a cell; several unordered readers, atomics and
// bytes that are used apart move to an Extra.

#include <cstdint>
#include <vector>

#include "runtime/arena.hpp"
#include "runtime/clock.hpp"
#include "runtime/pool.hpp"
#include "runtime/thread.hpp"

namespace muster {

enum class Order : std::uint8_t { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr bool acquires(Order order) { return order != Order::relaxed && order != Order::release; }
constexpr bool releases(Order order) { return order >= Order::release; }

class RaceListener {
 public:
  virtual void race(std::uintptr_t address, ThreadId thread, std::uint32_t earlier_site, bool earlier_writes, SiteId site, bool writes) = 0;
  virtual void use_after_free(std::uintptr_t address, ThreadId freed_by, std::uint32_t freed_at, SiteId site) = 0;
  virtual void out_of_bounds(std::uintptr_t address, SiteId site) = 0;
  /// A heap cell that this execution has not seen yet: false if no live block holds the address.
  virtual bool adopt(std::uintptr_t address, Cell& cell) = 0;

 protected:
  ~RaceListener() = default;
};

class RaceDetector {
 public:
  RaceDetector(Arena& arena, RaceListener& listener);

  void begin_execution(unsigned threads, bool watch);
  void use_threads(unsigned threads);
  void run(Thread& thread) { now_ = &thread; }
  bool watching() const { return watch_; }

  void plain(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  void load(std::uintptr_t address, unsigned size, Order order, SiteId site);
  void store(std::uintptr_t address, unsigned size, Order order, SiteId site);
  void rmw(std::uintptr_t address, unsigned size, Order order, SiteId site);
  void fence(Order order);

  /// A lock, a queue of waiters, a thread's end: something with a clock of its own.
  void acquire(const Clock& object) { ops_.join(now_->clock, object); }
  void release(Clock& object);
  void clear(Clock& clock) const { ops_.clear(clock); }
  void spawn(Thread& child);

  void allocated(std::uintptr_t address, std::size_t size, SiteId site);
  void freed(std::uintptr_t address, std::size_t size, SiteId site);
  std::uint16_t generation() const { return generation_; }
  void set_allocation(Cell& cell, ThreadId thread, std::uint16_t clock) const;

 private:
  struct Atomic {
    std::uint8_t offset, size;
    std::uint32_t next, site;
    Clock release;           // what an acquiring load of it synchronises with
    Clock writers, readers;  // the last atomic accesses of each thread
  };
  struct Extra {
    std::uint32_t atomics, readers, bytes;  // 1 + index, 0: none
  };
  /// Those who read since the last write: when, and where last.
  struct Readers {
    Clock clock;
    std::uint32_t site[max_threads];
  };
  struct Bytes {
    Cell cell[8];
  };

  bool plain_quickly(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  bool fresh(std::uintptr_t address, Cell& cell, SiteId site);
  void granule(std::uintptr_t address, Cell& cell, std::uint8_t mask, bool write, SiteId site);
  void bytes(std::uintptr_t address, Cell& cell, std::uint8_t mask, bool write, SiteId site);
  void check_freed(std::uintptr_t address, Cell& cell, SiteId site);
  void check_written(std::uintptr_t address, Cell& cell, SiteId site, bool write);
  void check_read(std::uintptr_t address, Cell& cell, SiteId site);
  void check_atomics(std::uintptr_t address, const Cell& cell, std::uint8_t mask, bool write, SiteId site);
  void remember_read(Cell& cell, SiteId site);
  Extra& extra(Cell& cell);
  Atomic* atomic(std::uintptr_t address, unsigned size, SiteId site, bool write);
  void report(std::uintptr_t address, std::uint32_t earlier_site, bool earlier_writes, SiteId site, bool writes);
  bool ordered(std::uint16_t clock, ThreadId thread) const { return clock <= now_->clock.lane[thread]; }
  void tick() { ++now_->clock.lane[now_->id]; }

  Arena& arena_;
  RaceListener& listener_;
  ClockOps ops_;
  Thread* now_ = nullptr;
  std::uint16_t generation_ = 0;
  bool watch_ = true;
  Pool<Extra> extras_;
  Pool<Atomic> atomics_;
  Pool<Readers> readers_;
  Pool<Bytes> bytes_;
};

}  // namespace muster
