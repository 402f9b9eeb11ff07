#pragma once
// The heap of an execution. Addresses depend only on which thread allocates for which time, so they are the same in
// every execution that does the same; fresh memory has the same content every time; what is freed is remembered.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tape.hpp"
#include "memory/arena.hpp"
#include "runtime/program.hpp"

namespace muster {

/// What allocated a block, which only its counterpart may free.
enum class Allocator : std::uint8_t { malloc, object, array, aligned_object, aligned_array, scalable };

class TestHeap {
 public:
  static constexpr int fresh_content = 0xa5;  // any is legal; this one makes the use of uninitialised memory show
  struct alignas(16) Block {
    std::uint32_t size;
    std::uint32_t number;  // in the table of its slice
    std::uint32_t site;    // low half of where it was allocated
    std::uint16_t clock;   // of the allocating thread
    ThreadId thread;       // that allocated it
    bool live : 1;
    Allocator allocator : 7 = Allocator::malloc;
  };
  static_assert(sizeof(Block) == 16);

  TestHeap();

  void begin_execution(HeapPolicy policy);

  /// Null if the thread's slice is exhausted.
  std::byte* allocate(ThreadId thread, std::size_t size, std::size_t alignment, SiteId site, std::uint16_t clock);

  /// The header of a block, or null if the address is not the beginning of one of this execution.
  Block* block(const void* address) const;

  /// The block that holds an address, live or not: what lies behind its last byte belongs to nobody.
  Block* block_around(std::uintptr_t address) const;
  /// The last block that begins before an address, or there.
  Block* block_before(std::uintptr_t address) const;

  /// How many freed blocks an allocation could get under `shared_reuse`; the decision is the caller's.
  unsigned candidates(std::size_t size) const;
  std::byte* reuse(ThreadId thread, std::size_t size, unsigned candidate, SiteId site, std::uint16_t clock);

  void free(ThreadId thread, Block& block);

  std::uint32_t live_blocks() const { return live_blocks_; }
  Block* first_live() const;

  /// Its blocks with all that they hold, and what is known about them.
  void pass(Tape& tape);
  std::size_t total_used() const;

  /// The used part of a thread's slice.
  std::size_t used(ThreadId thread) const { return slices_[thread].used; }

  /// Blocks above this size get their cells when they are touched, not when they are allocated.
  static constexpr std::size_t lazy_size = 512;

  static std::byte* data(Block& block) { return reinterpret_cast<std::byte*>(&block + 1); }
  static Block& header(std::byte* data) { return *(reinterpret_cast<Block*>(data) - 1); }
  static std::uintptr_t end(const Block& block) { return reinterpret_cast<std::uintptr_t>(&block + 1) + block.size; }

 private:
  struct Slice {
    std::size_t used = 0;
    std::size_t count = 0;
    std::vector<std::uint32_t> blocks;  // offsets of headers, in units of 16 bytes, ascending; as many as `count` says

    void add(std::uint32_t block) {
      if (count == blocks.size()) blocks.resize(std::max<std::size_t>(16, 2 * count));
      blocks[count++] = block;
    }
    void clear(unsigned number);
  };
  struct Freed {
    Block* block;
    ThreadId thread;
  };

  template <class Strip>
  void pass_along(Strip& strip);
  void fill(Block& block, std::size_t size);
  bool fits(const Freed& freed, std::size_t size) const;

  HeapPolicy policy_ = HeapPolicy::quarantine;
  std::uint32_t live_blocks_ = 0;
  unsigned highest_ = 0;  // slices used so far
  Slice slices_[max_threads];
  std::vector<Freed> freed_;
};

}  // namespace muster
