#pragma once
// Memory as it was at a point of an execution. Saving and putting back run the same code, `pass`, in one direction or
// the other, so that they cannot differ in what they cover or in which order.

#include <emmintrin.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

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
    std::byte* mine = reserve(sizeof value);
    if (saving_) {
      __builtin_memcpy(mine, &value, sizeof value);
    } else {
      __builtin_memcpy(&value, mine, sizeof value);
    }
  }
  void pass(std::span<std::byte> memory) { pass(memory.data(), memory.size()); }
  template <class T>
  void pass_items(std::vector<T>& items) {
    std::size_t count = items.size();
    pass(count);
    items.resize(count);
    pass(items.data(), count * sizeof(T));
  }

  /// Most pieces are small: a call would cost more than they do, and so would a loop for what is left after the last 16 bytes.
  static void copy(void* to, const void* from, std::size_t size) {
    if (size > 256) {
      std::memcpy(to, from, size);
      return;
    }
    auto* out = static_cast<std::byte*>(to);
    const auto* in = static_cast<const std::byte*>(from);
    const auto copy_part = [=](std::size_t at) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + at)));
    };
    if (size >= 16) {
      for (std::size_t at = 0; at + 16 < size; at += 16) copy_part(at);
      copy_part(size - 16);
    } else if (size >= 8) {
      copy_ends<std::uint64_t>(out, in, size);
    } else if (size >= 4) {
      copy_ends<std::uint32_t>(out, in, size);
    } else {
      for (std::size_t at = 0; at < size; ++at) out[at] = in[at];
    }
  }

 private:
  /// Between one and two words.
  template <class Word>
  static void copy_ends(std::byte* out, const std::byte* in, std::size_t size) {
    Word first, last;
    __builtin_memcpy(&first, in, sizeof first);
    __builtin_memcpy(&last, in + size - sizeof last, sizeof last);
    __builtin_memcpy(out, &first, sizeof first);
    __builtin_memcpy(out + size - sizeof last, &last, sizeof last);
  }

  std::byte* begin_;
  std::size_t at_ = 0;
  bool saving_ = true;
};

}  // namespace muster
