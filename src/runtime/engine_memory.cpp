// The engine's memory and time: plain accesses, the test heap, the virtual clock, and what the race detector tells.

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "runtime/engine.hpp"
#include "runtime/sync.hpp"

namespace muster {
namespace {

constexpr std::uint64_t clock_tick_limit = 1'000'000'000;
constexpr std::uintptr_t near = 16;  // the end of a block: what lies there was meant to be in it

std::string_view name_of(Allocator allocator) {
  constexpr std::string_view names[] = {"malloc", "new", "new[]", "aligned new", "aligned new[]", "scalable_malloc"};
  return names[static_cast<unsigned>(allocator)];
}

std::string_view release_of(Allocator allocator) {
  constexpr std::string_view names[] = {"free",           "delete",           "delete[]",
                                        "aligned delete", "aligned delete[]", "scalable_free"};
  return names[static_cast<unsigned>(allocator)];
}

/// "lock (libx.so) and unlock (libx.so)"
std::string words_of(const PossibleLink& link) {
  const OwnWork work;
  const std::string released_in = unwatched_world->name(link.released_in);
  if (link.acquired_in == link.released_in) return released_in;
  return fmt::format("{} and {}", released_in, unwatched_world->name(link.acquired_in));
}

}  // namespace

// ---- time ----

void Engine::advance_clock_to(std::uint64_t time) {
  access(objects::clock, 1, AccessMode::write);
  clock_ = std::max(clock_, time);
}

/// Time passes when somebody looks; faster and faster for a thread that only looks, so that polling for a deadline
/// ends.
std::uint64_t Engine::look_at_clock(SiteId site) {
  if (reducing_ || options_.clock_points) point(EventKind::clock, objects::clock, site);
  if (current_->spin.repeats(site, 1, 0)) clock_step_ = std::min(clock_step_ * 2, clock_tick_limit);
  access(objects::clock, 1, AccessMode::write);
  clock_ += clock_step_;
  notice(clock_);
  return clock_;
}

// ---- memory ----

/// For who watches: nothing is decided here.
void Engine::show(EventKind kind, std::uintptr_t address, SiteId site) {
  observer_->event(
      {.object = address, .site = site, .index = next_[current_->id].index, .thread = current_->id, .kind = kind});
}

/// A plain access that is known to race is a scheduling point.
void Engine::plain_point(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
  if (!racy_sites_.contains(static_cast<std::uint32_t>(site))) return;
  if (racy_sites_.is_only_shown(static_cast<std::uint32_t>(site)))
    return show(write ? EventKind::write : EventKind::read, address, site);
  if (write) {
    point(EventKind::write, address, site);
  } else {
    reading_point(EventKind::read, address, site, hash_bytes({reinterpret_cast<const std::byte*>(address), size}));
  }
  if (write) {
    access(address, size, AccessMode::write);
  } else {
    read_access(address, size, hash_bytes({reinterpret_cast<const std::byte*>(address), size}));
  }
}

constexpr std::size_t most_ever_given = std::size_t{1} << 47;

std::byte* Engine::allocate(std::size_t size, std::size_t alignment, Allocator allocator, SiteId site) {
  if (options_.heap != HeapPolicy::quarantine) transition_point();
  Thread& t = *current_;
  const std::uint16_t clock = races_.now();
  std::byte* block = nullptr;
  if (options_.heap == HeapPolicy::shared_reuse) access(objects::freed_blocks, 1, AccessMode::write);
  if (const unsigned candidates = alignment <= 16 ? heap_.candidates(size) : 0) {
    const unsigned chosen = choose(PointKind::block, candidates);
    const OwnWork work;
    block = heap_.reuse(t.id, size, chosen, site, clock);
  } else {
    const OwnWork work;
    block = heap_.allocate(t.id, size, std::max<std::size_t>(alignment, 16), site, clock);
  }
  if (!block) {
    // No machine has memory for a request like that; any other might well be met outside of the test heap.
    if (size > most_ever_given) return nullptr;
    fatal(IncidentKind::limit, site,
          fmt::format("a thread may allocate at most {} MB in an execution, a fixed limit", Arena::slice_size >> 20));
  }
  TestHeap::header(block).allocator = allocator;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  notice(address);
  if (options_.heap != HeapPolicy::quarantine) access(address, std::max<std::size_t>(size, 1), AccessMode::write);
  if (size <= TestHeap::lazy_size || options_.heap != HeapPolicy::quarantine) races_.allocated(address, size, site);
  return block;
}

bool Engine::is_stack_or_global(const void* address) const {
  if (Arena::contains(reinterpret_cast<std::uintptr_t>(address)))
    return !Arena::in_heap(reinterpret_cast<std::uintptr_t>(address));
  const auto* byte = static_cast<const std::byte*>(address);
  return std::any_of(restorer_.ranges().begin(), restorer_.ranges().end(),
                     [byte](const auto& range) { return byte >= range.data() && byte < range.data() + range.size(); });
}

void Engine::deallocate(void* address, Allocator allocator, SiteId site) {
  transition_point();
  TestHeap::Block* block = heap_.block(address);
  const auto object = reinterpret_cast<std::uintptr_t>(address);
  if (racy_sites_.is_shown(static_cast<std::uint32_t>(site))) [[unlikely]]
    show(EventKind::free_block, object, site);
  // Told even if it ends the execution: in another one somebody may come before it.
  access(object, block ? std::max<std::size_t>(block->size, 1) : 1, AccessMode::write);
  if (!block || !block->live || block->allocator != allocator) [[unlikely]]
    cannot_free(address, allocator, block, site);
  if (options_.heap == HeapPolicy::shared_reuse) access(objects::freed_blocks, 1, AccessMode::write);
  races_.freed(object, block->size, site);
  if (options_.heap != HeapPolicy::quarantine) sync::forget(object, block->size);
  const OwnWork work;
  heap_.free(current_->id, *block);
}

void Engine::cannot_free(void* address, Allocator allocator, const TestHeap::Block* block, SiteId site) {
  Incident wrong{
      .kind = IncidentKind::invalid_free, .place = {site, current_->id, EventKind::free_block}, .earlier = {}};
  wrong.address = reinterpret_cast<std::uintptr_t>(address);
  if (!block) {
    wrong.say("free of an address that is not the beginning of a heap block");
  } else if (block->live) {
    wrong.earlier = {block->site, block->thread, EventKind::allocate};
    wrong.say(
        fmt::format("{} of a block that was allocated with {}", release_of(allocator), name_of(block->allocator)));
  } else {
    wrong.kind = IncidentKind::double_free;
    wrong.say("the block was freed before");
    if (const Cell* cell = arena_.cell(wrong.address))
      wrong.earlier = {cell->write_site, cell->write_thread, EventKind::free_block};
  }
  fatal(wrong);
}

// ---- what the race detector tells ----

void Engine::race(std::uintptr_t address, ThreadId thread, const EarlierAccess& earlier, SiteId site, bool writes,
                  const std::optional<PossibleLink>& link) {
  // Of what such a library does only calls are seen: on a lock, which is no write, or freeing, which is one.
  if ((!writes && is_unwatched(static_cast<std::uint32_t>(site))) || (!earlier.writes && is_unwatched(earlier.site)))
      [[unlikely]]
    return;
  bool fresh = racy_sites_.insert(static_cast<std::uint32_t>(site));
  if (earlier.site != 0) fresh |= racy_sites_.insert(earlier.site);
  if (fresh) result_.learned = true;
  Incident what{.kind = link ? IncidentKind::possible_race : IncidentKind::race,
                .place = {site, thread, writes ? EventKind::write : EventKind::read},
                .earlier = {earlier.site, no_thread, earlier.writes ? EventKind::write : EventKind::read}};
  what.address = address;
  if (link) [[unlikely]]
    what.say(words_of(*link));
  observer_->incident(what);
  if (racy_sites_.has_no_room_for(static_cast<std::uint32_t>(site))) [[unlikely]]
    fatal(IncidentKind::limit, site,
          fmt::format("more than {} places race: what comes of all of them cannot be searched", SiteSet::most));
}

void Engine::use_after_free(std::uintptr_t address, ThreadId freed_by, std::uint32_t freed_at, SiteId site) {
  if (racy_sites_.insert(static_cast<std::uint32_t>(site))) result_.learned = true;  // the free may come later
  Incident what{.kind = IncidentKind::use_after_free,
                .place = {site, current_->id, EventKind::read},
                .earlier = {freed_at, freed_by, EventKind::free_block}};
  what.address = address;
  fatal(what);
}

void Engine::out_of_bounds(std::uintptr_t address, SiteId site) {
  Incident what{.kind = IncidentKind::out_of_bounds, .place = {site, current_->id, EventKind::read}, .earlier = {}};
  what.address = address;
  what.say("no heap block of this execution holds this address");
  if (const TestHeap::Block* block = heap_.block_before(address); block && address - TestHeap::end(*block) < near) {
    what.say(fmt::format(
        "no heap block of this execution holds this address: it would be byte {} of one of {} that was allocated",
        block->size + (address - TestHeap::end(*block)) + 1, block->size));
    what.earlier = {block->site, block->thread, EventKind::allocate};
  }
  fatal(what);
}

void Engine::stack_is_shared(ThreadId owner) {
  if (racy_sites_.share_stack(owner)) result_.learned = true;
}

void Engine::outside_is_written() {
  if (racy_sites_.write_outside()) result_.learned = true;
}

bool Engine::adopt(std::uintptr_t address, Cell& cell) {
  const TestHeap::Block* block = heap_.block_around(address);
  if (!block) return false;
  races_.set_allocation(cell, block->thread, block->clock);
  cell.write_site = block->site;
  cell.end_after(TestHeap::end(*block) - (address & ~std::uintptr_t{7}));
  if (!block->live) cell.flags = Cell::freed;
  return true;
}

}  // namespace muster
