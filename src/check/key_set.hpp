#pragma once
// A set of 64-bit hashes, asked once an execution.

#include <cstdint>
#include <utility>
#include <vector>

namespace muster {

class KeySet {
 public:
  /// True if the key is new.
  bool insert(std::uint64_t key) {
    key += key == 0;  // 0 marks a free place
    if (2 * (size_ + 1) > keys_.size()) grow();
    if (!place(key)) return false;
    ++size_;
    return true;
  }
  std::size_t size() const { return size_; }

 private:
  bool place(std::uint64_t key) {
    const std::size_t mask = keys_.size() - 1;
    std::size_t i = key & mask;
    for (; keys_[i] != 0; i = (i + 1) & mask) {
      if (keys_[i] == key) return false;
    }
    keys_[i] = key;
    return true;
  }
  void grow() {
    std::vector<std::uint64_t> old =
        std::exchange(keys_, std::vector<std::uint64_t>(keys_.empty() ? 1024 : keys_.size() * 2, 0));
    for (const std::uint64_t key : old) {
      if (key != 0) place(key);
    }
  }

  std::vector<std::uint64_t> keys_;
  std::size_t size_ = 0;
};

}  // namespace muster
