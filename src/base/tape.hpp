#pragma once
// Memory as it was at a point of an execution. Saving and putting back run the same code, `pass`, in one direction or
// the other, so that they cannot differ in what they cover or in which order.

#include <emmintrin.h>
#include <string.h>
#include <sys/mman.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace muster {

/// libc's own, of the functions that copy the one that nobody interposes: this library's `memcpy` looks at who calls.
inline void* (*const volatile copy_much)(void*, const void*, std::size_t) = ::mempcpy;

/// Most pieces are small: a call of libc's would cost more than they do, and so would a loop for what is left after the
/// last 16 bytes. One function, not part of each that calls it: an execution goes through less code then, which is
/// faster.
[[gnu::noinline]] inline void copy_piece(void* to, const void* from, std::size_t size) {
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  const auto copy_part = [=](std::size_t at) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + at)));
  };
  // Between one and two words.
  const auto copy_ends = [=]<class Word>(Word) {
    Word first, last;
    __builtin_memcpy(&first, in, sizeof first);
    __builtin_memcpy(&last, in + size - sizeof last, sizeof last);
    __builtin_memcpy(out, &first, sizeof first);
    __builtin_memcpy(out + size - sizeof last, &last, sizeof last);
  };
  if (size > 128) {
    copy_much(to, from, size);
  } else if (size >= 16) {
    for (std::size_t at = 0; at + 16 < size; at += 16) copy_part(at);
    copy_part(size - 16);
  } else if (size >= 8) {
    copy_ends(std::uint64_t{});
  } else if (size >= 4) {
    copy_ends(std::uint32_t{});
  } else {
    for (std::size_t at = 0; at < size; ++at) out[at] = in[at];
  }
}

/// A tape on its way in one direction. It knows its direction when it is compiled and its position by heart: to be
/// passed on by reference to functions that are inlined.
template <bool Saving>
class Strip {
 public:
  static constexpr bool saving = Saving;

  explicit Strip(std::byte* at) : at_(at) {}
  std::byte* position() const { return at_; }

  [[gnu::always_inline]] void pass(void* memory, std::size_t size) {
    std::byte* mine = at_;
    at_ += (size + 15) & ~std::size_t{15};
    if constexpr (Saving) {
      copy_piece(mine, memory, size);
    } else {
      copy_piece(memory, mine, size);
    }
  }
  template <class T>
  [[gnu::always_inline]] void pass(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::byte* mine = at_;
    at_ += (sizeof value + 15) & ~std::size_t{15};
    if constexpr (Saving) {
      __builtin_memcpy(mine, &value, sizeof value);
    } else {
      __builtin_memcpy(&value, mine, sizeof value);
    }
  }
  [[gnu::always_inline]] void pass(std::span<std::byte> memory) { pass(memory.data(), memory.size()); }

  /// So many items, one after the other, whose size is known when this is compiled.
  template <class T>
  [[gnu::always_inline]] void pass_items(T* items, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) pass(items[i]);
  }
  /// Their sizes together, then what is in them: most are empty.
  template <class... T>
  [[gnu::always_inline]] void pass_lists(std::vector<T>&... lists) {
    std::array sizes{static_cast<std::uint32_t>(lists.size())...};
    pass(sizes);
    auto size = sizes.begin();
    (pass_list(lists, *size++), ...);
  }

 private:
  template <class T>
  [[gnu::always_inline]] void pass_list(std::vector<T>& list, std::size_t size) {
    if constexpr (!Saving) {
      if (list.size() != size) list.resize(size);
    }
    if (size != 0) pass(list.data(), size * sizeof(T));
  }

  std::byte* at_;
};

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

  /// `body` passes things by way of a strip.
  template <class Body>
  void run(Body body) {
    if (saving_) {
      run_strip<true>(body);
    } else {
      run_strip<false>(body);
    }
  }

  void pass(void* memory, std::size_t size) {
    run([=](auto& strip) { strip.pass(memory, size); });
  }
  template <class T>
  void pass(T& value) {
    run([&](auto& strip) { strip.pass(value); });
  }

 private:
  template <bool Saving, class Body>
  [[gnu::always_inline]] void run_strip(Body& body) {
    Strip<Saving> strip(begin_ + at_);
    body(strip);
    at_ = static_cast<std::size_t>(strip.position() - begin_);
  }

  std::byte* begin_;
  std::size_t at_ = 0;
  bool saving_ = true;
};

}  // namespace muster
