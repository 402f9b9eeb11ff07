#pragma once
// The memory that belongs to an execution: the test heap's slices and the stacks of model threads, at addresses that
// are the same in every process, and for each 8 bytes of it (and of the program's globals) a cell in which the race
// detector keeps what it knows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/event.hpp"

namespace muster {

/// Accesses to 8 bytes. All but `generation` is void if the generation is not the current execution's.
struct Cell {
  // These are compared as one word: nearly every access meets a cell with no flag, no extra, and its own mask or none.
  std::uint16_t generation;
  std::uint8_t mask;    // the bytes that every plain access so far touched; 0: none yet
  std::uint8_t flags;   // below
  std::uint32_t extra;  // 1 + index of an Extra: several readers, bytes that are used apart

  std::uint16_t write_clock;  // the last plain write; before there is one, the allocation
  std::uint16_t read_clock;
  std::uint8_t write_thread;
  std::uint8_t read_thread;
  std::uint16_t alloc_clock;  // when and by whom the block was allocated: for bytes that nobody wrote when others were
  std::uint32_t write_site;   // low halves of code addresses
  std::uint32_t read_site;
  std::uint32_t atomics;  // 1 + index of the first Atomic
  std::uint8_t alloc_thread;
  std::uint8_t beyond;  // the bytes that lie behind the end of the block
  std::uint8_t unused[2];

  static constexpr std::uint8_t freed = 1;   // the block was freed: write_* tell by whom
  static constexpr std::uint8_t split = 2;   // its bytes are used apart: each has a cell in the Extra
  static constexpr std::uint8_t atomic = 4;  // atomic accesses were made to some of its bytes

  /// Generation, mask, flags and extra.
  std::uint64_t state() const {
    std::uint64_t word;
    __builtin_memcpy(&word, this, sizeof word);
    return word;
  }
  static constexpr std::uint64_t plain_state(std::uint16_t generation, std::uint8_t mask) {
    return generation | std::uint64_t{mask} << 16;
  }
  void set_state(std::uint64_t word) { __builtin_memcpy(this, &word, sizeof word); }

  /// So many bytes are left of the block. Where that is not all of the cell, they count as used together: an access to
  /// others is looked at closely.
  void end_after(std::size_t bytes) {
    if (bytes >= 8) return;
    mask = static_cast<std::uint8_t>((1u << bytes) - 1);
    beyond = static_cast<std::uint8_t>(~mask);
  }
  bool reaches_beyond(std::uintptr_t address, std::size_t size) const {
    return (beyond >> (address & 7) & ((1u << size) - 1)) != 0;
  }
};
static_assert(sizeof(Cell) == 32);

class Arena {
 public:
  static constexpr std::uintptr_t base = 0x1000'0000'0000;
  static constexpr std::uintptr_t cells_base = 0x1100'0000'0000;
  static constexpr std::size_t slice_size = 64ul << 20;
  static constexpr std::size_t stack_size = 256ul << 10;
  static constexpr std::size_t heap_size = slice_size * max_threads;
  static constexpr std::size_t stacks_offset = heap_size;
  static constexpr std::size_t size = heap_size + stack_size * max_threads;

  Arena();

  static bool contains(std::uintptr_t address) { return address - base < size; }
  static bool in_heap(std::uintptr_t address) { return address - base < heap_size; }
  static bool in_stack_of(unsigned thread, std::uintptr_t address) { return address - stack_of(thread) < stack_size; }
  static std::uintptr_t stack_of(unsigned thread) { return base + stacks_offset + thread * stack_size; }
  static ThreadId owner_of_stack(std::uintptr_t address) {
    return static_cast<ThreadId>((address - base - stacks_offset) / stack_size);
  }
  static bool in_stacks(std::uintptr_t address) { return address - (base + stacks_offset) < stack_size * max_threads; }
  /// In the page under a stack, which belongs to nobody: the thread needed more than there is.
  static bool under_a_stack(std::uintptr_t address) {
    return in_stacks(address) && (address - base - stacks_offset) % stack_size < 4096;
  }
  static std::byte* slice(unsigned thread) { return reinterpret_cast<std::byte*>(base + thread * slice_size); }
  static Cell* cells() { return reinterpret_cast<Cell*>(cells_base); }
  static std::byte* stacks() { return reinterpret_cast<std::byte*>(base + stacks_offset); }

  /// Watches a range of globals as well.
  void watch(std::span<std::byte> globals);

  /// Whether the address lies in the heap, a stack or a watched global.
  bool knows(std::uintptr_t address) const {
    if (contains(address)) return true;
    for (const Window& window : windows_) {
      if (address - window.begin < window.size) return true;
    }
    return false;
  }

  /// Makes every cell's generation void.
  void forget_cells();

  /// The cell of an address; null only if it lies outside and there are too many such.
  Cell* cell(std::uintptr_t address) const {
    if (const std::uintptr_t offset = address - base; offset < size) [[likely]]
      return cells() + (offset >> 3);
    return cell_outside(address);
  }

 private:
  struct Window {
    std::uintptr_t begin, size;
    Cell* cells;
  };
  struct Outside {
    std::uintptr_t granule;
    Cell cell;
  };
  Cell* cell_outside(std::uintptr_t address) const;

  std::vector<Window> windows_;
  Outside* outside_;  // memory that is neither heap, stack nor a known global: found by hashing
};

}  // namespace muster
