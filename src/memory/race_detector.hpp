#pragma once
// Happens-before race detection, exact about the declared memory orders: release sequences as in C++20, fences, and an
// allocation counts as a write of the block. Whatever values atomics have, only what the orders promise
// orders plain accesses, so a relaxed publication is a race.
//
// After FastTrack (Flanagan, Freund 2009): the last write and the last read of 8 bytes fit a cell; several unordered
// readers, atomics and bytes that are used apart move to an Extra.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "memory/arena.hpp"
#include "memory/clock.hpp"
#include "memory/order.hpp"
#include "memory/pool.hpp"
#include "memory/possible_order.hpp"
#include "memory/thread_view.hpp"

namespace muster {

/// The access that another one races with.
struct EarlierAccess {
  ThreadId thread;
  std::uint16_t clock;
  std::uint32_t site;  // the low half of it; 0: not known
  bool writes;
};

class RaceListener {
 public:
  /// Nothing that is watched orders the two; `link` is what else may.
  virtual void race(std::uintptr_t address, ThreadId thread, const EarlierAccess& earlier, SiteId site, bool writes,
                    const std::optional<PossibleLink>& link) = 0;
  virtual void use_after_free(std::uintptr_t address, ThreadId freed_by, std::uint32_t freed_at, SiteId site) = 0;
  virtual void out_of_bounds(std::uintptr_t address, SiteId site) = 0;
  /// A thread uses the stack of another one, whose own accesses to it were not watched so far.
  virtual void stack_is_shared(ThreadId owner) = 0;
  /// A thread writes memory from before the search, reads of which were not watched so far.
  virtual void outside_is_written() = 0;
  /// A heap cell that this execution has not seen yet: false if no live block holds the address.
  virtual bool adopt(std::uintptr_t address, Cell& cell) = 0;
  /// The running thread has released so often that its clock has no room for more: what follows cannot be told from
  /// what came first.
  virtual void out_of_clock() = 0;

 protected:
  ~RaceListener() = default;
};

class RaceDetector {
 public:
  RaceDetector(Arena& arena, RaceListener& listener);

  /// What needs no watching until the opposite is seen.
  struct Assumptions {
    std::uint64_t private_stacks = 0;  // of threads: nobody else looks there
    bool constant_outside = false;  // memory that is neither heap, stack nor a global of the program is never written
    bool certain_order = false;     // accesses are ordered for certain: what else may order them is not kept
  };
  void begin_execution(unsigned threads, bool watch, Assumptions assumptions);
  void use_threads(unsigned threads);
  /// From here on accesses are this thread's.
  void run(ThreadId thread) {
    now_ = &views_[thread];
    own_stack_ = assumed_.private_stacks >> thread & 1 ? Arena::stack_of(thread) : nowhere;
  }
  bool watching() const { return watch_; }
  Arena& arena() { return arena_; }

  /// All other threads have ended, and what they did happened before the running thread's next step. Until it starts
  /// another one, nothing that it does can race: only freed memory is looked out for.
  void be_alone() { alone_ = true; }
  bool alone() const { return alone_; }
  /// Whether an access cannot race, nor meet freed memory.
  bool is_beyond_doubt(std::uintptr_t address, std::size_t size) const { return alone_ && is_live(address, size); }
  /// Whether all that a thread did so far happened before the running thread's next step.
  bool has_seen(ThreadId thread) const { return ops_.at_most(views_[thread].clock, now_->clock); }

  /// Whether the address lies in the running thread's stack, and nobody else looks there.
  bool is_private(std::uintptr_t address) const { return address - own_stack_ < Arena::stack_size; }
  void plain(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
    if (is_private(address)) return;
    if (alone_ && is_live(address, size)) return;
    if (!plain_quickly(address, size, write, site)) [[unlikely]]
      plain_slowly(address, size, write, site);
  }
  /// The same for a heap address, if it takes little; false: `plain` shall look at it.
  [[gnu::always_inline]] bool plain_on_heap(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  void load(std::uintptr_t address, unsigned size, Order order, SiteId site) {
    if (alone_ && is_live(address, size)) return;
    watch_load(address, size, order, site);
    if (size > 8) watch_load(address + 8, size - 8, order, site);
  }
  void store(std::uintptr_t address, unsigned size, Order order, SiteId site) {
    if (alone_ && is_live(address, size)) return;
    watch_store(address, size, order, site);
    if (size > 8) watch_store(address + 8, size - 8, order, site);
  }
  [[gnu::always_inline]] void rmw(std::uintptr_t address, unsigned size, Order order, SiteId site) {
    if (alone_ && is_live(address, size)) return;
    if (size > 8) watch_load(address + 8, size - 8, order, site);  // what it releases by the first half, too
    watch_rmw(address, size, order, site);
    if (size > 8) watch_rmw(address + 8, size - 8, order, site);
  }
  void fence(Order order);
  /// A call on a lock or the like at this address: an access that orders nothing and races with plain ones.
  void use(std::uintptr_t address, unsigned size, SiteId site) {
    if (!alone_ || !is_live(address, size)) watch_use(address, size, site);
  }

  /// For who keeps older values as well: an atomic, as it is now.
  struct AtomicPlace {
    std::uint32_t number = 0;        // 0: it is not watched, not used yet, or shares bytes with others
    std::uint32_t stamp = 0;         // another one after a plain write
    bool written_otherwise = false;  // by an access that was not listed, until now
  };
  AtomicPlace place_of(std::uintptr_t address, unsigned size);
  /// The last write of an atomic is known to whoever keeps older values.
  void list(std::uint32_t number, std::uintptr_t address, unsigned size);
  LocationClock release_of(std::uint32_t number) { return {atomics_[number].release, others_[number].release}; }
  /// A load of an older value, which was released by this.
  void load_older(std::uintptr_t address, unsigned size, Order order, SiteId site, const Clock& released);
  /// A store below a newer value, or an update, which read what `read` released: `released` gets what it releases.
  void write_older(std::uintptr_t address, unsigned size, Order order, SiteId site, const Clock* read, Clock& released);
  const ClockOps& clocks() const { return ops_; }
  /// Whether all steps that others made, each with a number of its own, happened before the running thread's next one.
  bool knows_all_steps() const {
    for (ThreadId t = 0; t < thread_count_; ++t) {
      if (t != now_->id && now_->clock.lane[t] + 1 < views_[t].clock.lane[t]) return false;
    }
    return true;
  }
  void tick() {
    if (++now_->now() == Clock::last) [[unlikely]]
      listener_.out_of_clock();
  }

  /// A lock, a queue of waiters, a thread's end: something with a clock of its own.
  void acquire(const Clock& object) { ops_.join(now_->clock, object); }
  /// The same for a thread that goes on because of it.
  void hand_over(const Clock& object, ThreadId to) { ops_.join(views_[to].clock, object); }
  /// All that a thread did, which has ended.
  void join(ThreadId ended) { ops_.join(now_->clock, views_[ended].clock); }
  void release(Clock& object);
  void clear(Clock& clock) const { ops_.clear(clock); }
  void spawn(ThreadId child);
  /// The running thread ends.
  void finish() { ops_.clear(now_->pending_acquire); }
  /// The running thread passes through code that is not watched, which may order it after others that did.
  void pass_through(UnwatchedCode code);
  /// Whether what such code may order is kept.
  bool keeps_possible_order() const { return !assumed_.certain_order; }

  void allocated(std::uintptr_t address, std::size_t size, SiteId site);
  void freed(std::uintptr_t address, std::size_t size, SiteId site);
  std::uint16_t generation() const { return generation_; }
  /// When the running thread's next step happens, by its own clock.
  std::uint16_t now() const { return now_->now(); }
  /// What happened before that.
  const Clock& known() const { return now_->clock; }

  /// Everything known in this execution, and its threads with their clocks. What else was touched by the time it is put
  /// back is forgotten.
  void pass(Tape& tape, std::uint64_t alive);
  std::size_t touched_cells() const { return touched_cells_; }
  /// Saved states of executions up to now cannot be put back any more: not all touched cells are known, or their
  /// numbers will be used again.
  bool cannot_go_back() const { return lost_track_ || last_generation_ == 0xffff; }
  void set_allocation(Cell& cell, ThreadId thread, std::uint16_t clock) const;

 private:
  struct alignas(64) Atomic {
    std::uint8_t key;   // of where it lies and how wide it is; 0 if others have some of its bytes
    std::uint8_t mask;  // its bytes in the cell
    ThreadId last;      // who used it last, at `site`; another thread before that at `other_site`
    std::uint8_t uses;  // of these:
    static constexpr std::uint8_t written_otherwise = 1, in_a_whole = 2, by_itself = 4;
    std::uint32_t next, site, other_site;
    FirstLanes release;           // what an acquiring load of it synchronises with
    FirstLanes writers, readers;  // the last atomic accesses of each thread
  };
  static_assert(sizeof(Atomic) == 64);
  /// Where the thread that is not ordered before this one used the atomic, as far as is remembered.
  static std::uint32_t site_of(const Atomic& atomic, ThreadId now) {
    return atomic.last == now ? atomic.other_site : atomic.site;
  }
  struct AtomicOthers {
    OtherLanes release, writers, readers;
  };
  struct Extra {
    std::uint32_t readers, bytes;  // 1 + index, 0: none
  };
  /// Those who read since the last write: when, and where last.
  struct Readers {
    Clock clock;
    std::uint32_t site[max_threads];
  };
  struct Bytes {
    Cell cell[8];
  };

  /// A piece of memory whose cells became this execution's.
  struct Touched {
    Cell* cell;
    std::size_t count;
  };
  void touch(Cell& cell, std::size_t count = 1) {
    touched_cells_ += count;
    if (touched_.size() > sealed_) {
      Touched& last = touched_[touched_.size()];
      if (last.cell + last.count == &cell) {
        last.count += count;
        return;
      }
    }
    if (touched_.full()) [[unlikely]] {
      lost_track_ = true;
    } else {
      touched_[touched_.take()] = {&cell, count};
    }
  }
  void forget_touched(std::uint32_t from);
  /// What is passed before the rest.
  struct Counts {
    std::uint16_t generation;
    bool alone, many;
    std::uint32_t groups, touched;
    std::size_t touched_cells;
  };
  template <class Strip>
  void pass_along(Strip& strip, std::uint64_t alive);

  /// Whether all of it is known to lie in memory that was not freed, not at the end of a block.
  bool is_live(std::uintptr_t address, std::size_t size) const {
    if (!Arena::in_heap(address)) return true;
    const Cell& cell = *arena_.cell(address);
    return (address & 7) + size <= 8 && cell.generation == generation_ && (cell.flags & Cell::freed) == 0 &&
           cell.beyond == 0;
  }
  /// Where most programs have what they share, if it is not on the heap.
  bool is_on_shared_first_stack(std::uintptr_t address) const {
    return (assumed_.private_stacks & 1) == 0 && Arena::in_stack_of(0, address);
  }
  void watch_load(std::uintptr_t address, unsigned size, Order order, SiteId site);
  void watch_store(std::uintptr_t address, unsigned size, Order order, SiteId site);
  void watch_rmw(std::uintptr_t address, unsigned size, Order order, SiteId site);
  void watch_use(std::uintptr_t address, unsigned size, SiteId site);
  void publish(Order order);
  bool plain_quickly(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  void plain_slowly(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  bool needs_no_watching(std::uintptr_t address, bool write);
  void look_at_stack(std::uintptr_t address);
  void set_accessed(Cell& cell, bool write, SiteId site);
  bool fresh(std::uintptr_t address, Cell& cell, SiteId site);
  void granule(std::uintptr_t address, Cell& cell, std::uint8_t mask, bool write, SiteId site);
  void bytes(std::uintptr_t address, Cell& cell, std::uint8_t mask, bool write, SiteId site);
  void check_free(std::uintptr_t address, std::size_t size, SiteId site);
  void check_freed(std::uintptr_t address, Cell& cell, SiteId site);
  void check_written(std::uintptr_t address, Cell& cell, SiteId site, bool write);
  void check_read(std::uintptr_t address, Cell& cell, SiteId site);
  void check_atomics(std::uintptr_t address, const Cell& cell, std::uint8_t mask, bool write, SiteId site);
  void remember_read(Cell& cell, SiteId site);
  Extra& extra(Cell& cell);
  /// Added to the number of an atomic that shares bytes with others.
  static constexpr std::uint32_t mixed = std::uint32_t{1} << 31;
  static bool is_by_itself(std::uint32_t location) { return location - 1 < mixed - 1; }
  std::uint32_t atomic(std::uintptr_t address, unsigned size, SiteId site, bool write);
  std::uint32_t atomic_slowly(std::uintptr_t address, unsigned size, SiteId site, bool write);
  void remember_user(Atomic& atomic, SiteId site) const;
  std::uint32_t plain_write_of(const Cell& cell, std::uint8_t mask);
  std::uint32_t find_whole(std::uintptr_t address, unsigned size);
  static std::uint8_t key_of(std::uintptr_t address, unsigned size) {
    return static_cast<std::uint8_t>((address & 7) | size << 3);
  }
  std::uint32_t find_atomic(Cell& cell, std::uint8_t key, std::uint8_t mask);
  template <class Function>
  void for_overlapping(std::uintptr_t address, std::uint32_t number, Function function);
  void join_overlapping(std::uintptr_t address, std::uint32_t number, Clock& into);
  void clear_covered(std::uintptr_t address, std::uint32_t number);
  void check_plain(std::uintptr_t address, Cell& cell, unsigned offset, unsigned size, bool write, SiteId site);
  LocationClock writers_of(std::uint32_t number) { return {atomics_[number].writers, others_[number].writers}; }
  LocationClock readers_of(std::uint32_t number) { return {atomics_[number].readers, others_[number].readers}; }
  void report(std::uintptr_t address, const EarlierAccess& earlier, SiteId site, bool writes);
  EarlierAccess unordered_of(LocationClock accesses, std::uint32_t site, bool writes);
  bool ordered(std::uint16_t clock, ThreadId thread) const { return clock <= now_->clock.lane[thread]; }
  /// The same after a release that code which is not watched may acquire.
  void tick_published() {
    now_->possible.published = now_->now();
    tick();
  }
  /// The running thread acquires by an atomic, which such code may have written.
  void hear() {
    if (possible_.has_news_for(now_->possible)) [[unlikely]]
      possible_.hear(*now_);
  }

  Arena& arena_;
  RaceListener& listener_;
  ClockOps ops_;
  ThreadView* now_ = nullptr;                   // of the running thread
  static constexpr std::uintptr_t nowhere = 0;  // the first page is never mapped
  std::uintptr_t own_stack_ = nowhere;
  Assumptions assumed_;
  std::uint16_t generation_ = 0;       // of this execution
  std::uint16_t last_generation_ = 0;  // given out
  std::size_t touched_cells_ = 0;
  std::uint32_t sealed_ = 0;  // so many pieces belong to a saved state: they do not grow
  bool lost_track_ = false;
  Pool<Touched> touched_;
  bool watch_ = true;
  bool alone_ = true;
  Pool<Extra> extras_;
  Pool<Atomic> atomics_;
  Pool<AtomicOthers> others_;  // the rest of the clocks of the atomic with the same number
  Pool<Readers> readers_;
  Pool<Bytes> bytes_;
  PossibleOrder possible_;
  unsigned thread_count_ = 0;
  ThreadView views_[max_threads];
};

inline void RaceDetector::look_at_stack(std::uintptr_t address) {
  if (!Arena::in_stacks(address)) return;
  const ThreadId owner = Arena::owner_of_stack(address);
  if (owner != now_->id && (assumed_.private_stacks >> owner & 1)) listener_.stack_is_shared(owner);
}

inline void RaceDetector::check_freed(std::uintptr_t address, Cell& cell, SiteId site) {
  if (cell.flags & Cell::freed) listener_.use_after_free(address, cell.write_thread, cell.write_site, site);
}

inline void RaceDetector::check_written(std::uintptr_t address, Cell& cell, SiteId site, bool write) {
  if (!ordered(cell.write_clock, cell.write_thread)) [[unlikely]]
    report(address, {cell.write_thread, cell.write_clock, cell.write_site, true}, site, write);
}

inline void RaceDetector::set_accessed(Cell& cell, bool write, SiteId site) {
  const std::uint16_t clock = now_->now();
  if (write) {
    cell.read_clock = 0;
    cell.write_thread = now_->id;
    cell.write_clock = clock;
    cell.write_site = static_cast<std::uint32_t>(site);
  } else {
    cell.read_thread = now_->id;
    cell.read_clock = clock;
    cell.read_site = static_cast<std::uint32_t>(site);
  }
}

inline bool RaceDetector::plain_on_heap(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
  const unsigned offset = address & 7;
  if (offset + size > 8) [[unlikely]]
    return false;
  Cell& cell = *arena_.cell(address);
  if (alone_) return cell.generation == generation_ && (cell.flags & Cell::freed) == 0 && cell.beyond == 0;
  const std::uint64_t state = cell.state();
  const std::uint64_t used_alike =
      Cell::plain_state(generation_, static_cast<std::uint8_t>(((1u << size) - 1) << offset));
  if (state != used_alike && state != Cell::plain_state(generation_, 0)) return false;
  if (!(ordered(cell.write_clock, cell.write_thread) & ordered(cell.read_clock, cell.read_thread))) [[unlikely]]
    return false;
  cell.set_state(used_alike);
  set_accessed(cell, write, site);
  return true;
}

/// Nearly all accesses: 8 bytes or fewer of one cell, untouched or only ever used in the same way, ordered after
/// everything in it. False: not one of those.
inline bool RaceDetector::plain_quickly(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
  const unsigned offset = address & 7;
  if (offset + size > 8 || !Arena::contains(address)) [[unlikely]]
    return false;
  Cell& cell = *arena_.cell(address);
  const std::uint64_t used_alike =
      Cell::plain_state(generation_, static_cast<std::uint8_t>(((1u << size) - 1) << offset));
  const std::uint64_t state = cell.state();
  if (state != used_alike) {
    if (static_cast<std::uint16_t>(state) != generation_) {
      if (Arena::in_heap(address)) return false;
      look_at_stack(address);
      touch(cell);
      cell = {};  // a stack has no allocation
    } else if (state != Cell::plain_state(generation_, 0)) {
      return false;
    }
    cell.set_state(used_alike);
  }
  if (!(ordered(cell.write_clock, cell.write_thread) & ordered(cell.read_clock, cell.read_thread))) [[unlikely]]
    return false;
  set_accessed(cell, write, site);
  return true;
}

}  // namespace muster
