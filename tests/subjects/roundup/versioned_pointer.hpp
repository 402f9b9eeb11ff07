#pragma once
// A pointer and a version in one word, so that a compare-exchange notices that the word was changed and put back.
#include <cstdint>

namespace subjects::roundup {

template <class Object>
class VersionedPointer {
 public:
  explicit VersionedPointer(Object* object, std::uint64_t version = 0)
      : bits_{reinterpret_cast<std::uint64_t>(object) | version << kAddressBits} {}
  VersionedPointer(std::uint64_t bits) : bits_{bits} {}
  operator std::uint64_t() const { return bits_; }

  Object* get() const { return reinterpret_cast<Object*>(bits_ & ((std::uint64_t{1} << kAddressBits) - 1)); }
  Object* operator->() const { return get(); }

  VersionedPointer next(Object* object) const { return VersionedPointer{object, (bits_ >> kAddressBits) + 1}; }

 private:
  static constexpr unsigned kAddressBits = 48;  // enough for user-space addresses

  std::uint64_t bits_;
};

}  // namespace subjects::roundup
