#include "runtime/test_heap.hpp"

#include <algorithm>
#include <cstring>

namespace muster {
namespace {

/// Slices lie a power of two apart: their beginnings would share a few cache lines if they were used from the first
/// byte on.
std::size_t first_offset(unsigned slice) { return slice % 8 * 704; }

std::size_t rounded(std::size_t size) { return (std::max<std::size_t>(size, 1) + 15) & ~std::size_t{15}; }

}  // namespace

void TestHeap::Slice::clear(unsigned number) {
  used = first_offset(number);
  count = 0;
}

TestHeap::TestHeap() {
  for (unsigned i = 0; i < max_threads; ++i) slices_[i].used = first_offset(i);
}

void TestHeap::begin_execution(HeapPolicy policy) {
  policy_ = policy;
  live_blocks_ = 0;
  freed_.clear();
  for (unsigned i = 0; i < highest_; ++i) slices_[i].clear(i);
  highest_ = 0;
}

void TestHeap::fill(Block& block, std::size_t size) {
  std::memset(data(block), fresh_content, size);
  ++live_blocks_;
}

std::byte* TestHeap::allocate(ThreadId thread, std::size_t size, std::size_t alignment, SiteId site,
                              std::uint16_t clock) {
  if (policy_ == HeapPolicy::reuse) {
    for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed) {
      if (freed->thread == thread && fits(*freed, size) &&
          reinterpret_cast<std::uintptr_t>(data(*freed->block)) % alignment == 0) {
        std::swap(*freed, freed_.back());
        return reuse(thread, size, 0, site, clock);
      }
    }
  }
  highest_ = std::max(highest_, thread + 1u);
  Slice& slice = slices_[thread];
  const auto base = reinterpret_cast<std::uintptr_t>(Arena::slice(thread));
  const std::uintptr_t user = (base + slice.used + sizeof(Block) + alignment - 1) & ~(alignment - 1);
  const std::size_t room = rounded(size);
  if (size > Arena::slice_size || user + room > base + Arena::slice_size) return nullptr;
  auto* block = reinterpret_cast<Block*>(user) - 1;
  slice.used = user + room - base;
  *block = Block{static_cast<std::uint32_t>(size),
                 static_cast<std::uint32_t>(slice.count),
                 static_cast<std::uint32_t>(site),
                 clock,
                 thread,
                 true};
  slice.add(static_cast<std::uint32_t>((user - base) / 16 - 1));
  fill(*block, size);
  return data(*block);
}

TestHeap::Block* TestHeap::block(const void* address) const {
  const auto user = reinterpret_cast<std::uintptr_t>(address);
  if (!Arena::in_heap(user) || user % 16 != 0) [[unlikely]]
    return nullptr;
  const std::size_t offset = (user - Arena::base) % Arena::slice_size;
  if (offset == 0) return nullptr;
  // Its header says where in the table it is, unless somebody wrote there who must not.
  Block* header = reinterpret_cast<Block*>(user) - 1;
  const Slice& slice = slices_[(user - Arena::base) / Arena::slice_size];
  if (header->number < slice.count && slice.blocks[header->number] == offset / 16 - 1) [[likely]]
    return header;
  Block* found = block_before(user);
  return found && data(*found) == address ? found : nullptr;
}

TestHeap::Block* TestHeap::block_before(std::uintptr_t address) const {
  const std::size_t thread = (address - Arena::base) / Arena::slice_size;
  const auto base = reinterpret_cast<std::uintptr_t>(Arena::slice(static_cast<unsigned>(thread)));
  const std::uint32_t* blocks = slices_[thread].blocks.data();
  const std::uint32_t* after = std::upper_bound(blocks, blocks + slices_[thread].count, (address - base) / 16);
  if (after == blocks) return nullptr;
  auto* block = reinterpret_cast<Block*>(base + std::size_t{*(after - 1)} * 16);
  if (address < reinterpret_cast<std::uintptr_t>(data(*block)))  // in its header
    return after - 1 == blocks ? nullptr : reinterpret_cast<Block*>(base + std::size_t{*(after - 2)} * 16);
  return block;
}

TestHeap::Block* TestHeap::block_around(std::uintptr_t address) const {
  Block* block = block_before(address);
  return block && address < end(*block) ? block : nullptr;
}

bool TestHeap::fits(const Freed& freed, std::size_t size) const { return rounded(freed.block->size) == rounded(size); }

unsigned TestHeap::candidates(std::size_t size) const {
  if (policy_ != HeapPolicy::shared_reuse) return 0;
  unsigned count = 0;
  for (const Freed& freed : freed_) count += fits(freed, size);
  return std::min(count, 2u);  // the last two: last-in first-out alone hides the textbook ABA
}

/// Candidate 0 is the block freed last, 1 the one before it.
std::byte* TestHeap::reuse(ThreadId thread, std::size_t size, unsigned candidate, SiteId site, std::uint16_t clock) {
  for (auto freed = freed_.rbegin(); freed != freed_.rend(); ++freed) {
    if (!fits(*freed, size) || candidate-- > 0) continue;
    Block& block = *freed->block;
    freed_.erase(std::next(freed).base());
    block =
        Block{static_cast<std::uint32_t>(size), block.number, static_cast<std::uint32_t>(site), clock, thread, true};
    fill(block, size);
    return data(block);
  }
  return nullptr;
}

void TestHeap::free(ThreadId thread, Block& block) {
  block.live = false;
  --live_blocks_;
  if (policy_ != HeapPolicy::quarantine) [[unlikely]]
    freed_.push_back({&block, thread});
}

/// Of the table of blocks only its length is passed: where one of the saved blocks was entered, nobody entered another
/// one since who did not go back to before it first, and whoever did that and still puts it back has repeated what
/// entered it.
template <class Strip>
inline void TestHeap::pass_along(Strip& strip) {
  struct Counts {
    std::uint32_t live_blocks;
    unsigned highest;
    std::size_t freed;
  };
  Counts counts{live_blocks_, highest_, freed_.size()};
  strip.pass(counts);
  if constexpr (!Strip::saving) {
    for (unsigned i = counts.highest; i < highest_; ++i) slices_[i].clear(i);
    live_blocks_ = counts.live_blocks;
    highest_ = counts.highest;
    freed_.resize(counts.freed);
  }
  strip.pass_items(freed_.data(), counts.freed);
  for (unsigned i = 0; i < counts.highest; ++i) {
    Slice& slice = slices_[i];
    struct Extent {
      std::size_t used, count;
    };
    Extent extent{slice.used, slice.count};
    strip.pass(extent);
    slice.used = extent.used;
    slice.count = extent.count;
    if (slice.count != 0) strip.pass(Arena::slice(i) + first_offset(i), slice.used - first_offset(i));
  }
}

void TestHeap::pass(Tape& tape) {
  tape.run([this](auto& strip) { pass_along(strip); });
}

std::size_t TestHeap::total_used() const {
  std::size_t total = 0;
  for (unsigned i = 0; i < highest_; ++i) total += slices_[i].used - first_offset(i);
  return total;
}

TestHeap::Block* TestHeap::first_live() const {
  for (unsigned i = 0; i < highest_; ++i) {
    for (std::size_t k = 0; k < slices_[i].count; ++k) {
      auto* block = reinterpret_cast<Block*>(Arena::slice(i) + std::size_t{slices_[i].blocks[k]} * 16);
      if (block->live) return block;
    }
  }
  return nullptr;
}

}  // namespace muster
