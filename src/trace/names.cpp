#include "trace/names.hpp"

namespace muster::trace {

void NameTable::place(const Slot& slot, std::uint64_t hash) {
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].id_plus_1 != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot;
}

std::uint32_t NameTable::add(std::string_view name, const Key& key) {
  if (2 * (size() + 1) > slots_.size()) {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.id_plus_1 != 0) place(slot, mix(slot.word0, slot.word1));
  }
  const std::uint32_t id = size();
  arena_.insert(arena_.end(), name.begin(), name.end());
  starts_.push_back(arena_.size());
  place({key.word0, key.word1, static_cast<std::uint32_t>(name.size()), id + 1}, key.hash);
  return id;
}

}  // namespace muster::trace
