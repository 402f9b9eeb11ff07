#pragma once
// Memory as it was at a point of an execution. Saving and putting back run the same code, `pass`, in one direction or
// the other, so that they cannot differ in what they cover or in which order.

#include <emmintrin.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/error.hpp"

namespace muster {

class Tape {
 public:
  static constexpr std::size_t capacity = 256ul << 20;  // of address space; what is used of it is what savepoints hold

  Tape() {
    void* memory = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("cannot reserve memory for saved executions");
    begin_ = static_cast<std::byte*>(memory);
  }
  ~Tape() { munmap(begin_, capacity); }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  void start_saving(std::size_t position) { at_ = position, saving_ = true; }
  void start_putting_back(std::size_t position) { at_ = position, saving_ = false; }
  bool saving() const { return saving_; }
  std::size_t position() const { return at_; }
  bool has_room(std::size_t size) const { return at_ + size + 4096 < capacity; }

  /// Where in the tape the next `size` bytes lie: for whoever passes many small things by itself.
  std::byte* reserve(std::size_t size) {
    std::byte* place = begin_ + at_;
    at_ += (size + 15) & ~std::size_t{15};
    return place;
  }

  void pass(void* memory, std::size_t size) {
    std::byte* mine = reserve(size);
    if (saving_) {
      copy(mine, memory, size);
    } else {
      copy(memory, mine, size);
    }
  }
  template <class T>
  void pass(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    pass(&value, sizeof value);
  }
  void pass(std::span<std::byte> memory) { pass(memory.data(), memory.size()); }

  /// Most pieces are small: a call would cost more than they do.
  static void copy(void* to, const void* from, std::size_t size) {
    if (size > 256) {
      std::memcpy(to, from, size);
      return;
    }
    auto* out = static_cast<std::byte*>(to);
    const auto* in = static_cast<const std::byte*>(from);
    for (; size >= 16; size -= 16, out += 16, in += 16) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
    }
    for (; size >= 4; size -= 4, out += 4, in += 4) __builtin_memcpy(out, in, 4);
    for (; size > 0; --size, ++out, ++in) *out = *in;
  }

 private:
  std::byte* begin_;
  std::size_t at_ = 0;
  bool saving_ = true;
};

}  // namespace muster
