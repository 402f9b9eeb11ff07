#include "memory/race_detector.hpp"

#include <algorithm>
#include <bit>

namespace muster {

RaceDetector::RaceDetector(Arena& arena, RaceListener& listener) : arena_(arena), listener_(listener) {
  for (ThreadId id = 0; id < max_threads; ++id) views_[id].id = id;
}

void RaceDetector::begin_execution(unsigned threads, bool watch, Assumptions assumptions) {
  forget_touched(0);
  touched_cells_ = sealed_ = 0;
  lost_track_ = false;
  if (++last_generation_ == 0) {
    arena_.forget_cells();
    last_generation_ = 1;
  }
  generation_ = last_generation_;
  watch_ = watch;
  alone_ = true;
  assumed_ = assumptions;
  now_ = nullptr;  // whoever ran last is of another execution: its clock must not flow into this one
  extras_.reset();
  atomics_.reset();
  readers_.reset();
  bytes_.reset();
  possible_.begin_execution();
  use_threads(threads);
}

void RaceDetector::use_threads(unsigned threads) {
  thread_count_ = threads;
  ops_.use_threads(threads);
}

void RaceDetector::release(Clock& object) {
  ops_.join(object, now_->clock);
  tick();
}

void RaceDetector::spawn(ThreadId id) {
  ThreadView& child = views_[id];
  ops_.clear(child.clock);
  ops_.clear(child.pending_acquire);
  child.fenced = false;
  child.possible = {};
  if (now_) {
    alone_ = false;
    ops_.assign(child.clock, now_->clock);
    tick();
  }
  child.now() = 1;
}

void RaceDetector::pass_through(UnwatchedCode code) {
  if (!now_ || !keeps_possible_order()) return;
  possible_.pass_through(ops_, {views_, thread_count_}, *now_, code);
  // A thread that calls such code for ever must not run out of clock: what it does after so many calls is taken to be
  // released by the last of them, too.
  constexpr std::uint16_t most = Clock::last / 2;
  if (now_->now() < most) tick();
}

void RaceDetector::report(std::uintptr_t address, const EarlierAccess& earlier, SiteId site, bool writes) {
  std::optional<PossibleLink> link;
  if (!possible_.is_empty()) link = possible_.link(earlier.thread, earlier.clock, now_->clock);
  listener_.race(address, now_->id, earlier, site, writes, link);
}

/// Of those who are not ordered before the running thread, one that nothing may order, if there is such a one.
EarlierAccess RaceDetector::unordered_of(LocationClock accesses, std::uint32_t site, bool writes) {
  EarlierAccess found{now_->id, 0, site, writes};
  for (unsigned i = 0; i < ops_.groups() * 8; ++i) {
    const auto thread = static_cast<ThreadId>(i);
    const std::uint16_t clock = accesses.lane(thread);
    if (ordered(clock, thread)) continue;
    found.thread = thread;
    found.clock = clock;
    if (possible_.is_empty() || !possible_.link(thread, clock, now_->clock)) break;
  }
  return found;
}

void RaceDetector::set_allocation(Cell& cell, ThreadId thread, std::uint16_t clock) const {
  cell = {};
  cell.generation = generation_;
  cell.write_thread = cell.alloc_thread = thread;
  cell.write_clock = cell.alloc_clock = clock;
}

/// First access of this execution to 8 bytes: globals and stacks start clean, a heap cell must lie in a live block.
bool RaceDetector::fresh(std::uintptr_t address, Cell& cell, SiteId site) {
  touch(cell);
  if (Arena::in_heap(address)) {
    if (listener_.adopt(address, cell)) return true;
    listener_.out_of_bounds(address, site);
  }
  set_allocation(cell, 0, 0);
  return true;
}

RaceDetector::Extra& RaceDetector::extra(Cell& cell) {
  if (cell.extra == 0) {
    cell.extra = extras_.take();
    extras_[cell.extra] = {};
  }
  return extras_[cell.extra];
}

void RaceDetector::check_read(std::uintptr_t address, Cell& cell, SiteId site) {
  if (!ordered(cell.read_clock, cell.read_thread)) [[unlikely]]
    report(address, {cell.read_thread, cell.read_clock, cell.read_site, false}, site, true);
  if (cell.extra == 0) return;
  Extra& more = extras_[cell.extra];
  if (more.readers == 0) return;
  if (const Readers& all = readers_[more.readers]; !ops_.at_most(all.clock, now_->clock)) {
    for (ThreadId t = 0; t < max_threads; ++t) {
      const bool told = t == cell.read_thread;  // with a later read
      if (!told && !ordered(all.clock.lane[t], t))
        report(address, {t, all.clock.lane[t], all.site[t], false}, site, true);
    }
  }
  more.readers = 0;
}

void RaceDetector::remember_read(Cell& cell, SiteId site) {
  if (!ordered(cell.read_clock, cell.read_thread)) {
    Extra& more = extra(cell);
    if (more.readers == 0) {
      more.readers = readers_.take();
      ops_.clear(readers_[more.readers].clock);
    }
    Readers& all = readers_[more.readers];
    if (cell.read_clock >= all.clock.lane[cell.read_thread]) {
      all.clock.lane[cell.read_thread] = cell.read_clock;
      all.site[cell.read_thread] = cell.read_site;
    }
  }
  set_accessed(cell, false, site);
}

void RaceDetector::check_atomics(std::uintptr_t address, const Cell& cell, std::uint8_t mask, bool write, SiteId site) {
  for (std::uint32_t i = cell.atomics; i != 0; i = atomics_[i].next) {
    const Atomic& atomic = atomics_[i];
    if ((atomic.mask & mask) == 0) continue;
    if (!ops_.at_most(writers_of(i), now_->clock))
      report(address, unordered_of(writers_of(i), site_of(atomic, now_->id), true), site, write);
    else if (write && !ops_.at_most(readers_of(i), now_->clock))
      report(address, unordered_of(readers_of(i), site_of(atomic, now_->id), false), site, write);
  }
}

void RaceDetector::granule(std::uintptr_t address, Cell& cell, std::uint8_t mask, bool write, SiteId site) {
  if (cell.generation != generation_) fresh(address, cell, site);
  if (cell.flags) [[unlikely]] {
    check_freed(address, cell, site);
    if (cell.flags & Cell::split) return bytes(address, cell, mask, write, site);
  }
  if (cell.mask != mask) {
    if (cell.mask != 0) return bytes(address, cell, mask, write, site);
    cell.mask = mask;
  }
  check_written(address, cell, site, write);
  check_atomics(address, cell, mask, write, site);
  if (!write) return remember_read(cell, site);
  check_read(address, cell, site);
  set_accessed(cell, true, site);
}

/// Accesses of different bytes or widths meet in one cell: from now on each byte has a cell of its own.
void RaceDetector::bytes(std::uintptr_t address, Cell& cell, std::uint8_t mask, bool write, SiteId site) {
  if (mask & cell.beyond) [[unlikely]]
    listener_.out_of_bounds(address + static_cast<unsigned>(std::countr_zero(unsigned{mask} & cell.beyond)), site);
  Extra& more = extra(cell);
  if (more.bytes == 0) {
    more.bytes = bytes_.take();
    for (unsigned i = 0; i < 8; ++i) {
      Cell& byte = bytes_[more.bytes].cell[i];
      byte = cell;
      byte.extra = byte.atomics = 0;
      byte.flags = 0;
      if (cell.mask & (1u << i)) {
        byte.mask = 1;
        if (more.readers) {
          const std::uint32_t number = extra(byte).readers = readers_.take();
          readers_[number] = readers_[more.readers];
        }
      } else {
        byte.mask = 0;
        byte.read_clock = 0;
        byte.write_clock = byte.alloc_clock;
        byte.write_thread = byte.alloc_thread;
      }
    }
    cell.write_clock = cell.read_clock = 0;
    more.readers = 0;
    cell.flags |= Cell::split;
  }
  check_atomics(address, cell, mask, write, site);
  for (unsigned i = 0; i < 8; ++i) {
    if (mask & (1u << i)) granule(address + i, bytes_[more.bytes].cell[i], 1, write, site);
  }
}

/// Whether the address lies in memory from before the search that is taken for constant.
bool RaceDetector::needs_no_watching(std::uintptr_t address, bool write) {
  if (!assumed_.constant_outside || arena_.knows(address)) return false;
  if (write) listener_.outside_is_written();
  return true;
}

void RaceDetector::plain_slowly(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
  if (needs_no_watching(address, write)) return;
  look_at_stack(address);
  while (size > 0) {
    const unsigned offset = address & 7;
    const unsigned length = static_cast<unsigned>(std::min<std::size_t>(8 - offset, size));
    if (Cell* cell = arena_.cell(address))
      granule(address - offset, *cell, static_cast<std::uint8_t>(((1u << length) - 1) << offset), write, site);
    address += length;
    size -= length;
  }
}

void RaceDetector::allocated(std::uintptr_t address, std::size_t size, SiteId site) {
  const std::uint16_t clock = now_->now();
  Cell* cell = arena_.cell(address);
  touch(*cell, (size + 7) / 8);
  for (std::size_t done = 0; done < size; done += 8, ++cell) {
    set_allocation(*cell, now_->id, clock);
    cell->write_site = static_cast<std::uint32_t>(site);
  }
  if (size % 8 != 0) (cell - 1)->end_after(size % 8);
}

/// A free is a write of the whole block, and the last one.
void RaceDetector::freed(std::uintptr_t address, std::size_t size, SiteId site) {
  if (watch_ && !alone_) [[unlikely]]
    check_free(address, size, site);
  const std::uint16_t clock = now_->now();
  const ThreadId thread = now_->id;
  Cell* const end = arena_.cell(address) + (size + 7) / 8;
  for (Cell* cell = arena_.cell(address); cell != end; ++cell) {
    if (cell->generation != generation_) continue;  // never touched
    cell->flags = Cell::freed;
    cell->extra = cell->atomics = 0;
    cell->write_thread = thread;
    cell->write_clock = clock;
    cell->write_site = static_cast<std::uint32_t>(site);
  }
}

void RaceDetector::check_free(std::uintptr_t address, std::size_t size, SiteId site) {
  Cell* cell = arena_.cell(address);
  for (std::size_t done = 0; done < size; done += 8, ++cell, address += 8) {
    if (cell->generation != generation_) continue;  // never touched: nothing to race with
    if (cell->flags & Cell::split) [[unlikely]] {
      for (Cell& byte : bytes_[extras_[cell->extra].bytes].cell) {
        check_written(address, byte, site, true);
        check_read(address, byte, site);
      }
    }
    check_written(address, *cell, site, true);
    check_read(address, *cell, site);
    check_atomics(address, *cell, 0xff, true, site);
  }
}

}  // namespace muster
