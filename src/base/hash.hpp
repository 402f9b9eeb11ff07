#pragma once
// A fast non-cryptographic mix for fingerprints and hash tables inside one process.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace muster {

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a ^ 0x9e3779b97f4a7c15) * (b ^ 0xe7037ed1a0b428db);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  std::uint64_t hash = mix(seed, bytes.size());
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = mix(hash, word);
  }
  std::uint64_t tail = 0;
  if (at < bytes.size()) std::memcpy(&tail, bytes.data() + at, bytes.size() - at);
  return mix(hash, tail);
}

}  // namespace muster
