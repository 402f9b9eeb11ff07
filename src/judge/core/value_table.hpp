#pragma once
// Small numbers for values, first come first numbered. Integers close together are looked up in an array, others in a
// hash table.

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "history/value.hpp"

namespace muster {

class ValueTable {
 public:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  /// `expected`: how many values will be asked for; the array is used while it stays a small multiple of that.
  explicit ValueTable(std::size_t expected) : reach_(static_cast<std::int64_t>(expected) * 4 + 1024) {}

  /// The number of this value, a new one if it has none.
  std::uint32_t number(Value value) {
    if (value.is_integer()) {
      const std::int64_t integer = value.as_integer();
      if (integer >= 0 && integer < reach_) {
        const auto at = static_cast<std::size_t>(integer);
        if (at >= dense_.size()) dense_.resize(std::max(at + 1, dense_.size() * 2), unknown);
        if (dense_[at] == unknown) dense_[at] = count_++;
        return dense_[at];
      }
    }
    const auto [found, fresh] = sparse_.try_emplace(value, count_);
    count_ += fresh;
    return found->second;
  }

  /// Its number, or `unknown`.
  std::uint32_t find(Value value) const {
    if (value.is_integer()) {
      const std::int64_t integer = value.as_integer();
      if (integer >= 0 && integer < reach_) {
        const auto at = static_cast<std::size_t>(integer);
        return at < dense_.size() ? dense_[at] : unknown;
      }
    }
    const auto found = sparse_.find(value);
    return found == sparse_.end() ? unknown : found->second;
  }

  /// It will be looked for soon: long histories do not fit the caches, and the look-up would wait for memory.
  void prefetch(Value value) const {
    if (value.is_integer() && value.as_integer() >= 0 && value.as_integer() < reach_) {
      const auto at = static_cast<std::size_t>(value.as_integer());
      if (at < dense_.size()) __builtin_prefetch(&dense_[at]);
    } else if (!sparse_.empty()) {
      sparse_.prefetch(value);
    }
  }

  std::uint32_t size() const { return count_; }

 private:
  std::int64_t reach_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> dense_;
  absl::flat_hash_map<Value, std::uint32_t> sparse_;
};

}  // namespace muster
