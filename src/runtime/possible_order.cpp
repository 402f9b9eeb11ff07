#include "runtime/possible_order.hpp"

namespace muster {

void PossibleOrder::begin_execution() {
  if (is_empty()) return;
  passages_.reset();
  released_ = {};
}

void PossibleOrder::pass_through(const ClockOps& clocks, const Clock& now, ThreadId thread, UnwatchedCode code) {
  if (is_empty() || passages_[passages_.size()].thread != thread) {
    if (passages_.full()) {
      // No execution is that long. Were it so, everybody would be taken to have seen the last one.
      passages_[passages_.size()].clock = 0;
    } else {
      Passage& made = passages_[passages_.take()];
      made.acquired = released_;
      made.thread = thread;
      made.clock = now.lane[thread];
      made.first = code;
    }
  }
  passages_[passages_.size()].last = code;
  clocks.join(released_, now);
}

std::uint32_t PossibleOrder::last_before(const Clock& now) {
  std::uint32_t number = passages_.size();
  while (number > 0 && now.lane[passages_[number].thread] < passages_[number].clock) --number;
  return number;
}

std::optional<PossibleLink> PossibleOrder::link(ThreadId thread, std::uint16_t clock, const Clock& now) {
  const std::uint32_t last = last_before(now);
  if (last == 0 || passages_[last].acquired.lane[thread] < clock) return std::nullopt;
  std::uint32_t first = last;  // whose predecessor was the first to release it
  while (first > 1 && passages_[first - 1].acquired.lane[thread] >= clock) --first;
  return PossibleLink{passages_[first - 1].last, passages_[last].first};
}

}  // namespace muster
