#include "runtime/program_heap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/engine.hpp"
#include "runtime/sync.hpp"

namespace muster {
namespace {

constexpr std::size_t most_ever_given = std::size_t{1} << 47;

std::string_view name_of(Allocator allocator) {
  constexpr std::string_view names[] = {"malloc", "new", "new[]", "aligned new", "aligned new[]", "scalable_malloc"};
  return names[static_cast<unsigned>(allocator)];
}

std::string_view release_of(Allocator allocator) {
  constexpr std::string_view names[] = {"free",           "delete",           "delete[]",
                                        "aligned delete", "aligned delete[]", "scalable_free"};
  return names[static_cast<unsigned>(allocator)];
}

void touches_block(Engine& engine, ObjectId address, std::size_t size) {
  if (!engine.reduction().reducing()) return;  // what else conflicts with a free is a finding
  const auto bytes = static_cast<std::uint32_t>(std::max<std::size_t>(size, 1));
  engine.reduction().touches({.object = address, .size = bytes, .mode = AccessMode::write});
}

}  // namespace

std::byte* ProgramHeap::allocate(std::size_t size, std::size_t alignment, Allocator allocator, SiteId site) {
  if (engine_.options_.heap != HeapPolicy::quarantine) engine_.reduction_.begin_another();
  Thread& t = *engine_.current_;
  const std::uint16_t clock = engine_.races_.now();
  std::byte* block = nullptr;
  if (engine_.options_.heap == HeapPolicy::shared_reuse)
    engine_.reduction_.touches({.object = objects::freed_blocks, .mode = AccessMode::write});
  if (const unsigned candidates = alignment <= 16 ? blocks_.candidates(size) : 0) {
    const unsigned chosen = engine_.choose(PointKind::block, candidates);
    const OwnWork work;
    block = blocks_.reuse(t.id, size, chosen, site, clock);
  } else {
    const OwnWork work;
    block = blocks_.allocate(t.id, size, std::max<std::size_t>(alignment, 16), site, clock);
  }
  if (!block) {
    // No machine has memory for a request like that; any other might well be met outside of the test heap.
    if (size > most_ever_given) return nullptr;
    engine_.fatal(
        IncidentKind::limit, site,
        fmt::format("a thread may allocate at most {} MB in an execution, a fixed limit", Arena::slice_size >> 20));
  }
  TestHeap::header(block).allocator = allocator;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  engine_.reduction_.notice(address);
  if (engine_.options_.heap != HeapPolicy::quarantine) touches_block(engine_, address, size);
  if (size <= TestHeap::lazy_size || engine_.options_.heap != HeapPolicy::quarantine)
    engine_.races_.allocated(address, size, site);
  return block;
}

void ProgramHeap::deallocate(void* address, Allocator allocator, SiteId site) {
  engine_.reduction_.begin_another();
  TestHeap::Block* block = blocks_.block(address);
  const auto object = reinterpret_cast<std::uintptr_t>(address);
  if (engine_.racy_sites_.is_shown(static_cast<std::uint32_t>(site))) [[unlikely]]
    engine_.show(EventKind::free_block, object, site);
  // Reported even if it ends the execution: in another one somebody may come before it.
  touches_block(engine_, object, block ? block->size : 1);
  if (!block || !block->live || block->allocator != allocator) [[unlikely]]
    cannot_free(address, allocator, block, site);
  if (engine_.options_.heap == HeapPolicy::shared_reuse)
    engine_.reduction_.touches({.object = objects::freed_blocks, .mode = AccessMode::write});
  engine_.races_.freed(object, block->size, site);
  if (engine_.options_.heap != HeapPolicy::quarantine) sync::forget(object, block->size);
  const OwnWork work;
  blocks_.free(engine_.current_->id, *block);
}

void ProgramHeap::cannot_free(void* address, Allocator allocator, const TestHeap::Block* block, SiteId site) {
  Incident wrong{
      .kind = IncidentKind::invalid_free, .place = {site, engine_.current_->id, EventKind::free_block}, .earlier = {}};
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
    if (const Cell* cell = engine_.arena_.cell(wrong.address))
      wrong.earlier = {cell->write_site, cell->write_thread, EventKind::free_block};
  }
  engine_.fatal(wrong);
}

}  // namespace muster
