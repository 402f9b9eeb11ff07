#pragma once
// What the program allocates and frees in an execution: blocks of the test heap, or a finding.

#include <cstddef>

#include "runtime/test_heap.hpp"

namespace muster {

class Engine;

class ProgramHeap {
 public:
  explicit ProgramHeap(Engine& engine) : engine_(engine) {}

  std::byte* allocate(std::size_t size, std::size_t alignment, Allocator allocator, SiteId site);
  void deallocate(void* address, Allocator allocator, SiteId site);
  TestHeap& blocks() { return blocks_; }
  const TestHeap& blocks() const { return blocks_; }

 private:
  [[noreturn, gnu::cold, gnu::noinline]] void cannot_free(void* address, Allocator allocator,
                                                          const TestHeap::Block* block, SiteId site);

  Engine& engine_;
  TestHeap blocks_;
};

}  // namespace muster
