#include "trace/memory_map.hpp"

namespace muster::trace {

void MemoryMap::cut(std::uint64_t address, std::uint64_t size) {
  const auto cut_at = [&](std::uint64_t at) {
    if (at % word_bytes != 0) words_[at / word_bytes].cuts |= static_cast<std::uint8_t>(1u << (at % word_bytes));
  };
  cut_at(address);
  cut_at(address + size);
}

std::uint32_t MemoryMap::variable(Word& word, std::uint64_t address) {
  std::uint32_t* slot = &word.whole;
  if (address % word_bytes != 0) {
    if (word.pieces == none) {
      word.pieces = static_cast<std::uint32_t>(pieces_.size());
      pieces_.emplace_back().fill(none);
    }
    slot = &pieces_[word.pieces][address % word_bytes];
  }
  if (*slot == none) {
    *slot = size();
    addresses_.push_back(address);
  }
  return *slot;
}

}  // namespace muster::trace
