#pragma once
// Addresses of recorded accesses to variables. Accesses of different sizes may overlap: memory is cut wherever an
// access begins or ends, and each piece is a variable. Finding the cuts takes a pass of its own before variables are
// numbered.

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <vector>

namespace muster::trace {

class MemoryMap {
 public:
  /// First pass: an access to these bytes exists.
  void cut(std::uint64_t address, std::uint64_t size);

  /// Second pass: calls `use(variable)` for each piece of an access, most often one.
  template <class Use>
  void for_each_piece(std::uint64_t address, std::uint64_t size, Use use) {
    const std::uint64_t end = address + size;
    while (address < end) {
      Word& word = words_[address / word_bytes];
      const std::uint64_t base = address / word_bytes * word_bytes;
      std::uint64_t next = address + 1;  // where the piece that starts at `address` ends
      while (next % word_bytes != 0 && next < end && !(word.cuts >> (next - base) & 1)) ++next;
      use(variable(word, address));
      address = next;
    }
  }

  std::uint64_t address(std::uint32_t variable) const { return addresses_[variable]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(addresses_.size()); }

 private:
  static constexpr std::uint64_t word_bytes = 8;
  static constexpr std::uint32_t none = ~0u;

  struct Word {
    std::uint32_t whole = none;   // the variable that starts at byte 0
    std::uint32_t pieces = none;  // index into pieces_, for those that start at the other bytes
    std::uint8_t cuts = 0;        // a bit for each byte a piece starts at
  };

  std::uint32_t variable(Word& word, std::uint64_t address);

  absl::flat_hash_map<std::uint64_t, Word> words_;
  std::vector<std::array<std::uint32_t, word_bytes>> pieces_;
  std::vector<std::uint64_t> addresses_;  // by variable
};

}  // namespace muster::trace
