#pragma once
// Objects that live as long as an execution: handed out by number, never freed one by one, all gone at the next reset.

#include <sys/mman.h>

#include <cstdint>

#include "base/error.hpp"
#include "base/tape.hpp"

namespace muster {

template <class T>
class Pool {
 public:
  static constexpr std::uint32_t capacity = 1 << 18;

  Pool() {
    void* memory =
        mmap(nullptr, sizeof(T) * capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("cannot reserve memory for the runtime's tables");
    items_ = static_cast<T*>(memory);
  }
  ~Pool() { munmap(items_, sizeof(T) * capacity); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void reset() { size_ = 0; }
  void truncate(std::uint32_t size) { size_ = size; }
  bool full() const { return size_ == capacity; }

  /// The number (from 1) of an item whose content is whatever it was.
  std::uint32_t take() { return ++size_; }
  T& operator[](std::uint32_t number) { return items_[number - 1]; }
  std::uint32_t size() const { return size_; }

  template <class Strip>
  void pass(Strip& strip) {
    strip.pass(size_);
    strip.pass_items(items_, size_);
  }
  /// Their number alone: the items pass otherwise.
  template <class Strip>
  void pass_size(Strip& strip) {
    strip.pass(size_);
  }

 private:
  T* items_;
  std::uint32_t size_ = 0;
};

}  // namespace muster
