#pragma once
// Plain writes of a thread that may be waiting. A loop that keeps a copy of what it reads writes the same again in each
// turn, which changes nothing for anybody. What a write does is known only once it was made: at the thread's next
// point.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace muster {

class DoubtedWrites {
 public:
  bool empty() const { return count_ == 0; }
  void clear() { count_ = 0; }

  /// What is there, before it is written. False if it cannot be kept.
  bool add(std::uintptr_t address, std::size_t size) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (writes_[i].address == address && writes_[i].size == size) return true;
    }
    if (count_ == writes_.size() || size > largest) return false;
    Write& write = writes_[count_++];
    write.address = address;
    write.size = static_cast<std::uint32_t>(size);
    std::memcpy(write.before, reinterpret_cast<const void*>(address), size);
    return true;
  }

  /// Calls `changed` with the address of each write that changed something, and forgets all.
  template <class Changed>
  void settle(Changed changed) {
    for (std::size_t i = 0; i < count_; ++i) {
      const Write& write = writes_[i];
      if (std::memcmp(write.before, reinterpret_cast<const void*>(write.address), write.size) != 0)
        changed(write.address);
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t largest = 16;
  struct Write {
    std::uintptr_t address;
    std::uint32_t size;
    std::byte before[largest];
  };
  std::array<Write, 8> writes_;
  std::size_t count_ = 0;
};

}  // namespace muster
