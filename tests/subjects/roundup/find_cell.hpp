#pragma once
// The first cell that is wanted, looking around the segment from a place that `pick` gives.
#include <atomic>

namespace subjects::roundup {

template <class Cells, class Pick, class Wanted>
std::atomic<int>* find_cell(Cells& cells, unsigned size, Pick& pick, Wanted wanted) {
  const unsigned first = pick(size);
  for (unsigned i = 0; i < size; ++i) {
    std::atomic<int>& cell = cells[(first + i) % size];
    if (wanted(cell.load())) return &cell;
  }
  return nullptr;
}

}  // namespace subjects::roundup
