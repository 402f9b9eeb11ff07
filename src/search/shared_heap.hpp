#pragma once
// Lists of values in memory that workers share. What is freed is given out again: a search that shares for hours needs
// no more room than what is open at any time. Whoever uses it holds a lock.

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace muster {

template <std::size_t Room>
class SharedHeap {
 public:
  /// Like all that there are many of, it is not initialised by itself: that would touch all pages.
  template <class T>
  struct List {
    std::uint64_t offset;
    std::uint32_t size;
    std::uint32_t capacity_bits;  // of the block, in bytes; 0: none
  };

  void clear() {
    used_ = 0;
    for (std::uint64_t& first : free_) first = none;
  }

  template <class T>
  T* at(const List<T>& list) {
    return reinterpret_cast<T*>(bytes_ + list.offset);
  }
  template <class T>
  const T* at(const List<T>& list) const {
    return reinterpret_cast<const T*>(bytes_ + list.offset);
  }

  /// False if there is no room.
  template <class T>
  bool reserve(List<T>& list, std::size_t size) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bits = static_cast<std::uint32_t>(std::bit_width(size * sizeof(T) < 16 ? 15 : size * sizeof(T) - 1));
    if (bits >= kinds) return false;
    std::uint64_t offset = free_[bits];
    if (offset != none) {
      std::memcpy(&free_[bits], bytes_ + offset, sizeof offset);
    } else {
      if (used_ + (std::uint64_t{1} << bits) > Room) return false;
      offset = used_;
      used_ += std::uint64_t{1} << bits;
    }
    list = {offset, static_cast<std::uint32_t>(size), bits};
    return true;
  }

  template <class T>
  void release(List<T>& list) {
    if (list.capacity_bits == 0) return;
    std::memcpy(bytes_ + list.offset, &free_[list.capacity_bits], sizeof(std::uint64_t));
    free_[list.capacity_bits] = list.offset;
    list = {0, 0, 0};
  }

  std::uint64_t used() const { return used_; }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr unsigned kinds = 40;
  std::uint64_t used_ = 0;
  std::uint64_t free_[kinds];  // the first free block of each size, which tells the next
  alignas(16) std::byte bytes_[Room];
};

}  // namespace muster
