#pragma once
// Objects that parent and workers both see.

#include <sys/mman.h>

#include <memory>
#include <new>

#include "base/error.hpp"

namespace muster {

template <class T>
struct Unmap {
  void operator()(T* object) const { munmap(object, sizeof(T)); }
};

template <class T>
using Shared = std::unique_ptr<T, Unmap<T>>;

/// Like make_unique, in memory that stays shared after a fork.
template <class T>
Shared<T> make_shared_memory() {
  void* memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("no memory to share with worker processes");
  return Shared<T>(new (memory) T);
}

}  // namespace muster
