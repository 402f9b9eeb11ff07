#pragma once
// The memory that belongs to an execution: the test heap's slices and the stacks of model threads, at addresses that are the same in every
// process, and for each 8 bytes of it (and of the program's globals) a cell in which the race detector keeps what it knows.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/event.hpp"

namespace muster {

/// Accesses to 8 bytes. All but `generation` is void if the generation is not the current execution's.
struct Cell {
  std::uint16_t generation;
  std::uint8_t mask;          // the bytes that every access so far touched; 0: none yet
  std::uint8_t flags;         // below
  std::uint16_t alloc_clock;  // when and by whom the block was allocated
  std::uint8_t alloc_thread;
  std::uint8_t write_thread;
  std::uint16_t write_clock;
  std::uint16_t read_clock;
  std::uint8_t read_thread;
  std::uint8_t unused[3];
  std::uint32_t write_site;  // low halves of code addresses
  std::uint32_t read_site;
  std::uint32_t extra;       // 1 + index of an Extra: several readers, atomic accesses, bytes that are used apart
  std::uint32_t unused2;

  static constexpr std::uint8_t freed = 1;  // the block was freed: write_* tell by whom
  static constexpr std::uint8_t split = 2;  // its bytes are used apart: each has a cell in the Extra
};
static_assert(sizeof(Cell) == 32);

class Arena {
 public:
  static constexpr std::uintptr_t base = 0x1000'0000'0000;
  static constexpr std::size_t slice_size = 64ul << 20;
  static constexpr std::size_t stack_size = 256ul << 10;
  static constexpr std::size_t heap_size = slice_size * max_threads;
  static constexpr std::size_t stacks_offset = heap_size;
  static constexpr std::size_t size = heap_size + stack_size * max_threads;

  Arena();

  static bool contains(std::uintptr_t address) { return address - base < size; }
  static bool in_heap(std::uintptr_t address) { return address - base < heap_size; }
  static bool in_stack_of(unsigned thread, std::uintptr_t address) {
    return address - (base + stacks_offset + thread * stack_size) < stack_size;
  }
  static std::byte* slice(unsigned thread) { return reinterpret_cast<std::byte*>(base + thread * slice_size); }
  static std::byte* stacks() { return reinterpret_cast<std::byte*>(base + stacks_offset); }

  /// Watches a range of globals as well.
  void watch(std::span<std::byte> globals);

  /// Makes every cell's generation void.
  void forget_cells();

  /// The cell of an address; null only if it lies outside and there are too many such.
  Cell* cell(std::uintptr_t address) const {
    if (const std::uintptr_t offset = address - base; offset < size) [[likely]] return cells_ + (offset >> 3);
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

  Cell* cells_;
  std::vector<Window> windows_;
  Outside* outside_;  // memory that is neither heap, stack nor a known global: found by hashing
};

}  // namespace muster
