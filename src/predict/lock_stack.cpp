#include "predict/lock_stack.hpp"

#include <algorithm>

namespace muster::predict {

bool LockStack::acquire(Held held, std::uint32_t index, LocksetTable& locksets) {
  const auto known = std::ranges::find(entries_, held, &Entry::held);
  if (known != entries_.end()) {
    known->count = known->released ? 1 : known->count + 1;
    known->released = false;
    return false;
  }
  entries_.push_back({held, index, locksets.with(lockset(), held), 1, false});
  return true;
}

void LockStack::release(Held held) {
  const auto known = std::ranges::find(entries_, held, &Entry::held);
  if (known == entries_.end() || known->released || --known->count > 0) return;
  known->released = true;
  coarsened_ |= known + 1 != entries_.end();
  while (!entries_.empty() && entries_.back().released) entries_.pop_back();
}

}  // namespace muster::predict
