#include "memory/arena.hpp"

#include <sys/mman.h>

#include "base/error.hpp"

namespace muster {
namespace {

void* reserve(void* at, std::size_t size, int protection, int flags) {
  void* memory = mmap(at, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  if (memory == MAP_FAILED || (at && memory != at)) {
    fail("cannot reserve {} MiB of address space for the test heap: is there an address-space limit (ulimit -v)?",
         size >> 20);
  }
  return memory;
}

constexpr std::size_t outside_capacity = 1 << 16;

}  // namespace

Arena::Arena() {
  reserve(reinterpret_cast<void*>(base), heap_size, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
  reserve(stacks(), stack_size * max_threads, PROT_NONE, MAP_FIXED_NOREPLACE);
  reserve(cells(), size / 8 * sizeof(Cell), PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
  outside_ = static_cast<Outside*>(reserve(nullptr, outside_capacity * sizeof(Outside), PROT_READ | PROT_WRITE, 0));
}

void Arena::forget_cells() {
  // Untouched pages cost nothing, touched ones come back as zeros, and generation 0 is never current.
  madvise(cells(), size / 8 * sizeof(Cell), MADV_DONTNEED);
  for (const Window& window : windows_) madvise(window.cells, (window.size / 8 + 1) * sizeof(Cell), MADV_DONTNEED);
  madvise(outside_, outside_capacity * sizeof(Outside), MADV_DONTNEED);
}

void Arena::watch(std::span<std::byte> globals) {
  const auto begin = reinterpret_cast<std::uintptr_t>(globals.data()) & ~7ul;
  const std::size_t bytes = reinterpret_cast<std::uintptr_t>(globals.data()) + globals.size() - begin;
  windows_.push_back(
      {begin, bytes, static_cast<Cell*>(reserve(nullptr, (bytes / 8 + 1) * sizeof(Cell), PROT_READ | PROT_WRITE, 0))});
}

Cell* Arena::cell_outside(std::uintptr_t address) const {
  for (const Window& window : windows_) {
    if (address - window.begin < window.size) return window.cells + ((address - window.begin) >> 3);
  }
  const std::uintptr_t granule = address >> 3;
  for (std::size_t probe = granule * 0x9e3779b97f4a7c15 >> 48, tries = 0; tries < 64; ++tries, ++probe) {
    Outside& slot = outside_[probe % outside_capacity];
    if (slot.granule == 0) slot.granule = granule;
    if (slot.granule == granule) return &slot.cell;
  }
  return nullptr;
}

}  // namespace muster
