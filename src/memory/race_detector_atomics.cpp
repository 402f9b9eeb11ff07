// What the race detector knows of atomics: who used them, and what their values were released by.

#include <algorithm>

#include "memory/race_detector.hpp"

namespace muster {

/// Checks an atomic access against plain ones.
void RaceDetector::check_plain(std::uintptr_t address, Cell& cell, unsigned offset, unsigned size, bool write,
                               SiteId site) {
  check_freed(address, cell, site);
  if (cell.flags & Cell::split) {
    for (unsigned i = 0; i < size; ++i) {
      Cell& byte = bytes_[extras_[cell.extra].bytes].cell[offset + i];
      check_written(address, byte, site, write);
      if (write) check_read(address, byte, site);
    }
  } else if (cell.mask == 0 || (cell.mask & (((1u << size) - 1) << offset))) {
    check_written(address, cell, site, write);
    if (write) check_read(address, cell, site);
  } else if (!ordered(cell.alloc_clock, cell.alloc_thread)) {
    report(address, {cell.alloc_thread, cell.alloc_clock, cell.write_site, true}, site, write);
  }
}

/// What is known about the atomic that has these bytes of a cell, by number; a new one if there was none.
std::uint32_t RaceDetector::find_atomic(Cell& cell, std::uint8_t key, std::uint8_t mask) {
  for (std::uint32_t i = cell.atomics; i != 0; i = atomics_[i].next) {
    if (atomics_[i].mask == mask) return atomics_[i].key == 0 ? i | mixed : i;
  }
  const std::uint32_t number = atomics_.take();
  Atomic& made = atomics_[number];
  made.key = key;
  made.mask = mask;
  for (std::uint32_t i = cell.atomics; i != 0; i = atomics_[i].next) {
    if (atomics_[i].mask & mask) made.key = atomics_[i].key = 0;
  }
  made.last = no_thread;
  made.uses = 0;
  made.site = made.other_site = 0;
  made.next = cell.atomics;
  ops_.clear(release_of(number));
  ops_.clear(writers_of(number));
  ops_.clear(readers_of(number));
  cell.atomics = number;
  cell.flags |= Cell::atomic;
  return made.key == 0 ? number | mixed : number;
}

/// The other atomics that have some of its bytes: a counter that is also read together with its neighbour.
template <class Function>
void RaceDetector::for_overlapping(std::uintptr_t address, std::uint32_t number, Function function) {
  for (std::uint32_t i = arena_.cell(address)->atomics; i != 0; i = atomics_[i].next) {
    if (i != number && (atomics_[i].mask & atomics_[number].mask) != 0) function(i);
  }
}

/// What is read was released in parts, or as a part of more.
[[gnu::cold, gnu::noinline]] void RaceDetector::join_overlapping(std::uintptr_t address, std::uint32_t number,
                                                                 Clock& into) {
  for_overlapping(address, number, [&](std::uint32_t other) { ops_.join(into, release_of(other)); });
}

/// Nothing is left of what the parts were released by.
[[gnu::cold, gnu::noinline]] void RaceDetector::clear_covered(std::uintptr_t address, std::uint32_t number) {
  for_overlapping(address, number, [&](std::uint32_t other) {
    if ((atomics_[other].mask & ~atomics_[number].mask) == 0) ops_.clear(release_of(other));
  });
}

/// Who used it, for a report of a race with somebody else.
inline void RaceDetector::remember_user(Atomic& atomic, SiteId site) const {
  if (atomic.last != now_->id) {
    atomic.other_site = atomic.site;
    atomic.last = now_->id;
  }
  atomic.site = static_cast<std::uint32_t>(site);
}

/// The number of the atomic location, after checking the access against plain ones; 0 if the address cannot be watched.
/// Nearly always it lies on the heap, was used before, and everything that was done to it is ordered before.
inline std::uint32_t RaceDetector::atomic(std::uintptr_t address, unsigned size, SiteId site, bool write) {
  if (!Arena::in_heap(address) && !is_on_shared_first_stack(address)) [[unlikely]]
    return atomic_slowly(address, size, site, write);
  const Cell& cell = *arena_.cell(address);
  const std::uint32_t number = cell.atomics;
  if (cell.generation != generation_ || number == 0 || (cell.flags & ~Cell::atomic) != 0 || cell.extra != 0 ||
      !ordered(cell.write_clock, cell.write_thread) || !ordered(cell.read_clock, cell.read_thread)) [[unlikely]]
    return atomic_slowly(address, size, site, write);
  Atomic& known = atomics_[number];
  if (known.key != key_of(address, size)) [[unlikely]]
    return atomic_slowly(address, size, site, write);
  remember_user(known, site);
  return number;
}

[[gnu::noinline]] std::uint32_t RaceDetector::atomic_slowly(std::uintptr_t address, unsigned size, SiteId site,
                                                            bool write) {
  if (write) needs_no_watching(address, true);
  Cell* cell = arena_.cell(address);
  if (!cell) [[unlikely]]
    return 0;
  const auto offset = static_cast<std::uint8_t>(address & 7);
  const auto length = static_cast<std::uint8_t>(std::min(size, 8u - offset));
  look_at_stack(address);
  if (cell->generation != generation_) fresh(address, *cell, site);
  if (cell->reaches_beyond(address, length)) [[unlikely]]
    listener_.out_of_bounds(address, site);
  if (watch_) {
    const bool all_ordered =
        ordered(cell->write_clock, cell->write_thread) & ordered(cell->read_clock, cell->read_thread);
    if (!all_ordered || (cell->flags & ~Cell::atomic) != 0 || cell->extra != 0) [[unlikely]] {
      check_plain(address, *cell, offset, length, write, site);
    }
  }
  const std::uint32_t number =
      find_atomic(*cell, key_of(address, size), static_cast<std::uint8_t>(((1u << length) - 1) << offset));
  remember_user(atomics_[number & ~mixed], site);
  return number;
}

/// An atomic of a library, of which no clocks are kept, releases to that library.
void RaceDetector::publish(Order order) {
  if (releases(order)) tick_published();
}

void RaceDetector::watch_load(std::uintptr_t address, unsigned size, Order order, SiteId site) {
  std::uint32_t location = atomic(address, size, site, false);
  if (acquires(order)) hear();
  Clock& known = acquires(order) ? now_->clock : now_->pending_acquire;
  if (!is_by_itself(location)) [[unlikely]] {
    if (location == 0) return;
    location -= mixed;
    join_overlapping(address, location, known);
  }
  readers_of(location).lane(now_->id) = now_->now();
  ops_.join(known, release_of(location));
}

void RaceDetector::watch_store(std::uintptr_t address, unsigned size, Order order, SiteId site) {
  std::uint32_t location = atomic(address, size, site, true);
  if (!is_by_itself(location)) [[unlikely]] {
    if (location == 0) return publish(order);
    location -= mixed;
    clear_covered(address, location);
  }
  atomics_[location].uses |= Atomic::written_otherwise;
  writers_of(location).lane(now_->id) = now_->now();
  // A plain store ends the release sequence it finds (C++20: only read-modify-writes continue one).
  if (releases(order)) {
    ops_.assign(release_of(location), now_->clock);
    tick_published();
  } else if (now_->fenced) [[unlikely]] {
    ops_.assign(release_of(location), now_->release_fence);
  } else {
    ops_.clear(release_of(location));
  }
}

void RaceDetector::watch_rmw(std::uintptr_t address, unsigned size, Order order, SiteId site) {
  std::uint32_t location = atomic(address, size, site, true);
  if (acquires(order)) hear();
  Clock& known = acquires(order) ? now_->clock : now_->pending_acquire;
  if (!is_by_itself(location)) [[unlikely]] {
    if (location == 0) return publish(order);
    location -= mixed;
    join_overlapping(address, location, known);
  }
  atomics_[location].uses |= Atomic::written_otherwise;
  writers_of(location).lane(now_->id) = now_->now();
  ops_.join(known, release_of(location));
  if (releases(order)) {
    ops_.join(release_of(location), now_->clock);
    tick_published();
  } else if (now_->fenced) [[unlikely]] {
    ops_.join(release_of(location), now_->release_fence);
  }
}

void RaceDetector::watch_use(std::uintptr_t address, unsigned size, SiteId site) {
  if (const std::uint32_t location = atomic(address, size, site, false); location != 0)
    readers_of(location & ~mixed).lane(now_->id) = now_->now();
}

void RaceDetector::fence(Order order) {
  if (acquires(order)) {
    hear();
    ops_.join(now_->clock, now_->pending_acquire);
  }
  if (releases(order)) {
    ops_.assign(now_->release_fence, now_->clock);
    now_->fenced = true;
    tick_published();
  }
}

// ---- older values ----

/// When one of these bytes was last written by a plain access, or allocated: a number for it.
std::uint32_t RaceDetector::plain_write_of(const Cell& cell, std::uint8_t mask) {
  const auto number = [](std::uint16_t clock, ThreadId thread) { return std::uint32_t{clock} << 8 | thread; };
  if ((cell.flags & Cell::split) == 0) {
    const bool other_bytes = cell.mask != 0 && (cell.mask & mask) == 0;
    return other_bytes ? number(cell.alloc_clock, cell.alloc_thread) : number(cell.write_clock, cell.write_thread);
  }
  std::optional<std::uint32_t> all;
  for (unsigned i = 0; i < 8; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const Cell& byte = bytes_[extras_[cell.extra].bytes].cell[i];
    const std::uint32_t mine = number(byte.write_clock, byte.write_thread);
    all = !all || *all == mine ? mine : *all * 31 + mine;
  }
  return *all;
}

/// The atomic that has all of these bytes of a cell, and shares none; 0: there is none.
std::uint32_t RaceDetector::find_whole(std::uintptr_t address, unsigned size) {
  const Cell* cell = arena_.cell(address);
  if (!cell || cell->generation != generation_ || (cell->flags & Cell::freed) != 0 || (address & 7) + size > 8)
    return 0;
  const auto mask = static_cast<std::uint8_t>(((1u << size) - 1) << (address & 7));
  std::uint32_t number = cell->atomics;
  while (number != 0 && atomics_[number].mask != mask) number = atomics_[number].next;
  return number != 0 && atomics_[number].key != 0 ? number : 0;
}

/// An atomic of 16 bytes has two numbers, of which the first is its own.
RaceDetector::AtomicPlace RaceDetector::place_of(std::uintptr_t address, unsigned size) {
  AtomicPlace place;
  for (unsigned done = 0; done < size; done += 8) {
    const std::uint32_t number = find_whole(address + done, std::min(size, 8u));
    if (number == 0) return {};
    Atomic& atomic = atomics_[number];
    atomic.uses |= size > 8 ? Atomic::in_a_whole : Atomic::by_itself;
    if ((atomic.uses & Atomic::in_a_whole) && (atomic.uses & Atomic::by_itself)) return {};
    if (done == 0) place.number = number;
    place.stamp = place.stamp * 31 + plain_write_of(*arena_.cell(address + done), atomic.mask);
    place.written_otherwise |= (atomic.uses & Atomic::written_otherwise) != 0;
    atomic.uses &= static_cast<std::uint8_t>(~Atomic::written_otherwise);
  }
  return place;
}

void RaceDetector::list(std::uint32_t number, std::uintptr_t address, unsigned size) {
  constexpr auto listed = static_cast<std::uint8_t>(~Atomic::written_otherwise);
  atomics_[number].uses &= listed;
  if (size > 8) atomics_[find_whole(address + 8, 8)].uses &= listed;
}

void RaceDetector::load_older(std::uintptr_t address, unsigned size, Order order, SiteId site, const Clock& released) {
  for (unsigned done = 0; done < size; done += 8) {
    const std::uint32_t number = atomic(address + done, size - done, site, false);
    readers_of(number).lane(now_->id) = now_->now();
  }
  if (acquires(order)) hear();
  ops_.join(acquires(order) ? now_->clock : now_->pending_acquire, released);
}

void RaceDetector::write_older(std::uintptr_t address, unsigned size, Order order, SiteId site, const Clock* read,
                               Clock& released) {
  for (unsigned done = 0; done < size; done += 8) {
    const std::uint32_t number = atomic(address + done, size - done, site, true);
    writers_of(number).lane(now_->id) = now_->now();
  }
  if (read) {
    if (acquires(order)) hear();
    ops_.join(acquires(order) ? now_->clock : now_->pending_acquire, *read);
  }
  released = {};
  if (releases(order)) {
    ops_.assign(released, now_->clock);
    tick_published();
  } else if (now_->fenced) {
    ops_.assign(released, now_->release_fence);
  }
  if (read) ops_.join(released, *read);
}

}  // namespace muster
