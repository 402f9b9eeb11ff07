#pragma once
// The configurations a search has been in, each a fixed number of words; exact, so that "seen before" is never a guess.

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"

namespace muster {

class Configurations {
 public:
  explicit Configurations(std::size_t words) : words_(words), slots_(1024, empty) {}

  /// The number of this configuration, and whether it is new.
  std::pair<std::uint32_t, bool> add(std::span<const std::uint64_t> configuration) {
    const std::uint64_t hash = hash_of(configuration);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != empty; slot = (slot + 1) & (slots_.size() - 1)) {
      if (std::ranges::equal(at(slots_[slot]), configuration)) return {slots_[slot], false};
    }
    const std::uint32_t number = count_++;
    slots_[slot] = number;
    content_.insert(content_.end(), configuration.begin(), configuration.end());
    if (count_ * 2 > slots_.size()) grow();
    return {number, true};
  }

  std::span<const std::uint64_t> at(std::uint32_t number) const { return {content_.data() + number * words_, words_}; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return content_.capacity() * 8 + slots_.capacity() * 4; }

 private:
  static constexpr std::uint32_t empty = ~std::uint32_t{0};

  static std::uint64_t hash_of(std::span<const std::uint64_t> configuration) {
    return hash_bytes(std::as_bytes(configuration));
  }

  void grow() {
    slots_.assign(slots_.size() * 2, empty);
    for (std::uint32_t number = 0; number < count_; ++number) {
      std::size_t slot = hash_of(at(number)) & (slots_.size() - 1);
      while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  std::size_t words_;
  std::uint32_t count_ = 0;
  std::vector<std::uint64_t> content_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace muster
