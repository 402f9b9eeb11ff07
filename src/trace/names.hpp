#pragma once
// Names to dense numbers and back. Lookups are the inner loop of text readers, so short names compare as two words.

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace muster::trace {

/// The names of one class, numbered from 0 in order of first appearance; the text lives in one arena.
class NameTable {
 public:
  NameTable() : slots_(64) {}

  /// The number of `name`, new or known. Reads up to 16 bytes from `name.data()` whatever its length: the caller
  /// vouches for them (see MappedFile::padding).
  std::uint32_t intern_padded(std::string_view name) {
    const Key key = make_key(name);
    for (std::size_t at = key.hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.id_plus_1 == 0) return add(name, key);
      if (slot.word0 == key.word0 && slot.word1 == key.word1 && slot.length == name.size() &&
          (name.size() <= 16 || text(slot.id_plus_1 - 1) == name))
        return slot.id_plus_1 - 1;
    }
  }

  std::uint32_t intern(std::string_view name) {
    if (name.size() > 16) return intern_padded(name);
    char padded[16] = {};
    std::memcpy(padded, name.data(), name.size());
    return intern_padded({padded, name.size()});
  }

  std::string_view text(std::uint32_t id) const { return {arena_.data() + starts_[id], starts_[id + 1] - starts_[id]}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(starts_.size() - 1); }

 private:
  struct Key {
    std::uint64_t word0, word1, hash;
  };
  struct Slot {
    std::uint64_t word0 = 0, word1 = 0;
    std::uint32_t length = 0, id_plus_1 = 0;
  };

  static std::uint64_t keep_low(std::uint64_t word, std::size_t bytes) {
    return bytes >= 8 ? word : word & ((std::uint64_t{1} << (8 * bytes)) - 1);
  }

  static Key make_key(std::string_view name) {
    Key key;
    if (name.size() <= 16) {
      std::memcpy(&key.word0, name.data(), 8);
      std::memcpy(&key.word1, name.data() + 8, 8);
      key.word0 = keep_low(key.word0, name.size());
      key.word1 = name.size() > 8 ? keep_low(key.word1, name.size() - 8) : 0;
    } else {
      const std::span bytes{reinterpret_cast<const std::byte*>(name.data()), name.size()};
      key.word0 = hash_bytes(bytes, 1);
      key.word1 = hash_bytes(bytes, 2);
    }
    key.hash = mix(key.word0, key.word1);
    return key;
  }

  std::uint32_t add(std::string_view name, const Key& key);
  void place(const Slot& slot, std::uint64_t hash);

  std::vector<Slot> slots_;  // open addressing; a power of two, at most half full
  std::vector<char> arena_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace muster::trace
