// The race detector's part of going back: what it knows in an execution is put back, what was touched since is
// forgotten.

#include <algorithm>
#include <bit>
#include <cstring>

#include "memory/race_detector.hpp"

namespace muster {

void RaceDetector::forget_touched(std::uint32_t from) {
  for (std::uint32_t i = from + 1; i <= touched_.size(); ++i) {
    const Touched& touched = touched_[i];
    for (std::size_t k = 0; k < touched.count; ++k) touched.cell[k].generation = 0;
  }
  touched_.truncate(std::min(from, touched_.size()));
}

template <class Strip>
inline void RaceDetector::pass_along(Strip& strip, std::uint64_t alive) {
  Counts counts{generation_, alone_, ops_.ever_many(), ops_.groups(), touched_.size(), touched_cells_};
  strip.pass(counts);
  if constexpr (!Strip::saving) {
    ops_.set_groups(counts.groups);
    alone_ = counts.alone;
    generation_ = counts.generation;
    touched_cells_ = counts.touched_cells;
    forget_touched(counts.touched);
    touched_.truncate(counts.touched);  // what is missing comes from the tape
  }
  sealed_ = counts.touched;
  for (std::uint64_t mask = alive; mask; mask &= mask - 1) views_[std::countr_zero(mask)].pass(strip, ops_);
  for (std::uint32_t i = 1; i <= counts.touched; ++i) {
    Touched& touched = touched_[i];
    strip.pass(touched);
    strip.pass_items(touched.cell, touched.count);
  }
  possible_.pass(strip);
  extras_.pass(strip);
  atomics_.pass(strip);
  bytes_.pass(strip);
  readers_.pass_size(strip);
  for (std::uint32_t i = 1; i <= readers_.size(); ++i) {
    ops_.pass(strip, readers_[i].clock);
    strip.pass(readers_[i].site, ops_.groups() * 8 * sizeof readers_[i].site[0]);
  }
  if (counts.many) {
    strip.pass_items(&others_[1], atomics_.size());
  } else if (ops_.ever_many()) {
    std::memset(&others_[1], 0, atomics_.size() * sizeof(AtomicOthers));  // nobody had written there when it was saved
  }
}

void RaceDetector::pass(Tape& tape, std::uint64_t alive) {
  tape.run([=, this](auto& strip) { pass_along(strip, alive); });
}

}  // namespace muster
