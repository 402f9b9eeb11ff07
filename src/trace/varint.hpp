#pragma once
// Little-endian base-128 numbers, and zigzag for differences.

#include <cstddef>
#include <cstdint>

namespace muster::trace {

inline constexpr std::size_t longest_varint = 10;

inline std::byte* put_varint(std::byte* at, std::uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<std::byte>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<std::byte>(value);
  return at;
}

/// The same for a writer with room for ten bytes at `at`, whatever the value: without a branch between one byte and
/// two, which nobody could predict.
inline std::byte* put_varint_with_room(std::byte* at, std::uint64_t value) {
  if (value >> 14) [[unlikely]]
    return put_varint(at, value);
  const bool longer = value > 0x7f;
  at[0] = static_cast<std::byte>((value & 0x7f) | static_cast<std::uint64_t>(longer) << 7);
  at[1] = static_cast<std::byte>(value >> 7);
  return at + 1 + longer;
}

/// Moves `at` behind the number; false if it does not end before `end` or is too long.
inline bool take_varint(const std::byte*& at, const std::byte* end, std::uint64_t& value) {
  if (at == end) return false;
  std::uint64_t byte = static_cast<std::uint64_t>(*at++);
  value = byte & 0x7f;
  for (unsigned shift = 7; byte & 0x80; shift += 7) {
    if (at == end || shift > 63) return false;
    byte = static_cast<std::uint64_t>(*at++);
    value |= (byte & 0x7f) << shift;
  }
  return true;
}

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace muster::trace
