#include "memory/possible_order.hpp"

#include "memory/thread_view.hpp"

namespace muster {

void PossibleOrder::begin_execution() {
  if (is_empty()) return;
  events_.reset();
  passages_ = 0;
  released_ = {};
}

void PossibleOrder::add(ThreadView& now, const Clock& acquired, bool is_passage, UnwatchedCode code) {
  const std::uint16_t clock = now.now();
  if (events_.full()) {
    // No execution is that long. Were it so, everybody would be taken to have seen the last event.
    Event& last = events_[events_.size()];
    last.acquired = acquired;
    last.first_clock = 0;
    return;
  }
  events_[events_.take()] = {acquired, now.id, is_passage, clock, clock, code, code};
}

void PossibleOrder::pass_through(const ClockOps& clocks, std::span<const ThreadView> threads, ThreadView& now,
                                 UnwatchedCode code) {
  ++passages_;
  now.possible.heard = passages_;
  now.possible.published = now.now();
  Clock acquired = released_;
  for (const ThreadView& thread : threads) {
    if (thread.id == now.id || thread.possible.published == 0) continue;
    Clock published = thread.clock;
    published.lane[thread.id] = thread.possible.published;
    clocks.join(acquired, published);
  }
  Event* const last = events_.size() > 0 ? &events_[events_.size()] : nullptr;
  const bool is_one_more = last && last->is_passage && last->thread == now.id;
  clocks.join(released_, acquired);
  clocks.join(released_, now.clock);
  if (is_one_more) {
    // What the thread itself has released since is no news to it.
    Clock known = last->acquired;
    clocks.join(known, now.clock);
    if (clocks.at_most(acquired, known)) {
      last->last = code;
      last->last_clock = now.now();
      return;
    }
  }
  add(now, acquired, true, code);
}

void PossibleOrder::hear(ThreadView& now) {
  now.possible.heard = passages_;
  const Event& last = events_[events_.size()];
  if (last.thread == now.id && last.is_passage) return;  // its own
  add(now, released_, false, last.last);
}

std::uint32_t PossibleOrder::last_before(const Clock& now) {
  std::uint32_t number = events_.size();
  while (number > 0 && now.lane[events_[number].thread] < events_[number].first_clock) --number;
  return number;
}

std::optional<PossibleLink> PossibleOrder::link(ThreadId thread, std::uint16_t clock, const Clock& now) {
  const std::uint32_t last = last_before(now);
  if (last == 0 || events_[last].acquired.lane[thread] < clock) return std::nullopt;
  PossibleLink link{0, events_[last].first};
  for (std::uint32_t i = 1; i <= events_.size() && link.released_in == 0; ++i) {
    const Event& event = events_[i];
    if (event.is_passage && event.thread == thread && event.last_clock >= clock)
      link.released_in = event.first_clock >= clock ? event.first : event.last;
  }
  return link;
}

}  // namespace muster
