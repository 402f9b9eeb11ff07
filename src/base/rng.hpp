#pragma once
// Seeded random numbers: the same seed gives the same run on every platform, which std::uniform_int_distribution does
// not promise.

#include <cstdint>

namespace muster {

/// SplitMix64 (Steele, Lea, Flood 2014): one word of state, passes BigCrush, and any seed is a good seed.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound); bound > 0. Multiply-shift: the bias is below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

  constexpr bool chance(unsigned numerator, unsigned denominator) { return below(denominator) < numerator; }

 private:
  std::uint64_t state_;
};

}  // namespace muster
