#pragma once
// What libraries keep that are not restored between executions. What they set up at their first use stays, and if the
// warm-up did not come that far, an execution that repeats the beginning of another one finds it done.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace muster {

class LastingData {
 public:
  void watch(std::vector<std::span<std::byte>> ranges) { ranges_ = std::move(ranges); }

  /// Since this was asked last.
  bool changed() {
    std::uint64_t hash = 0;
    for (const auto& range : ranges_) hash = hash_bytes(range, hash);
    return std::exchange(hash_, hash) != hash;
  }

 private:
  std::vector<std::span<std::byte>> ranges_;
  std::uint64_t hash_ = 0;
};

}  // namespace muster
