#include "memory/strong_order.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace muster {

namespace {

/// Whether a thread knows something of others that it did not know before.
bool knows_more(const Clock& now, const Clock& then, ThreadId thread) {
  Clock same = then;
  same.lane[thread] = now.lane[thread];
  return std::memcmp(&same, &now, sizeof now) != 0;
}

}  // namespace

void StrongOrder::begin_execution() {
  events_.clear();
  newest_.clear();
  strong_fences_.clear();
  std::fill(std::begin(last_), std::end(last_), 0);
}

std::uint32_t StrongOrder::new_location() {
  newest_.push_back(0);
  return static_cast<std::uint32_t>(newest_.size()) - 1;
}

/// What orders threads besides atomics and fences is seen by what a thread knows, and by how often it released
/// something, since its last event: an event of its own, as it may stand between two accesses.
void StrongOrder::look_at(ThreadId thread, const Clock& known, std::uint16_t number) {
  const auto add_other = [&](const Clock& then_known, std::uint16_t then) {
    insert({then_known, 0, 0, 0, then, thread, false, false, false}, 0);
  };
  if (last_[thread] == 0) return add_other(known, number);
  const Event previous = at(last_[thread]);
  const auto next = static_cast<std::uint16_t>(previous.number + 1);
  if (number > next) add_other(previous.known, next);
  if (knows_more(known, previous.known, thread)) add_other(known, number);
}

StrongOrder::Index StrongOrder::add(const Event& event, Index newer) {
  insert(event, newer);
  if (event.strong && !event.is_access()) strong_fences_.push_back(last_[event.thread]);
  return last_[event.thread];
}

void StrongOrder::insert(const Event& event, Index newer) {
  events_.push_back(event);
  Event& made = events_.back();
  const auto self = static_cast<Index>(events_.size());
  last_[event.thread] = self;
  if (!event.writes) return;
  Index& above = newer == 0 ? newest_[event.location] : events_[newer - 1].older;
  made.older = above;
  above = self;
}

void StrongOrder::take_back(Index newer) {
  const Event& event = events_.back();
  if (event.writes) (newer == 0 ? newest_[event.location] : events_[newer - 1].older) = event.older;
  events_.pop_back();
}

/// Happens-before.
bool StrongOrder::before(Index a, Index b) const {
  if (a == b) return false;
  if (at(a).thread == at(b).thread) return a < b;
  return at(b).known.lane[at(a).thread] >= at(a).number;
}

/// sb|≠loc ; hb ; sb|≠loc. What comes after the last event of a thread, a lock that it released or its end, is known to
/// whoever knows more of the thread than that event.
bool StrongOrder::between_elsewhere(Index a, Index b) const {
  const Index entered = links_[b - 1].previous_elsewhere, left = links_[a - 1].next_elsewhere;
  if (entered == 0) return false;
  if (left != 0) return before(left, entered);
  const Event& last = at(last_[at(a).thread]);
  return last.thread != at(entered).thread && at(entered).known.lane[last.thread] > last.number;
}

/// scb.
bool StrongOrder::comes_first(Index a, Index b) const {
  if (a == b) return false;
  const Event &from = at(a), &to = at(b);
  if (from.thread == to.thread && a < b) return true;
  if (from.is_access() && to.is_access() && from.location == to.location) {
    if (before(a, b)) return true;
    if (to.writes && links_[a - 1].position < links_[b - 1].position) return true;  // mo, rb
  }
  return between_elsewhere(a, b);
}

/// eco.
bool StrongOrder::is_seen(Index a, Index b) const {
  const Event &from = at(a), &to = at(b);
  if (a == b || !from.is_access() || !to.is_access() || from.location != to.location) return false;
  const std::uint32_t first = links_[a - 1].position, second = links_[b - 1].position;
  return first < second || (first == second && from.writes && !to.writes);
}

void StrongOrder::link() {
  const auto count = static_cast<Index>(events_.size());
  links_.assign(count, {});
  const auto apart = [this](Index a, Index b) {
    return !at(a).is_access() || !at(b).is_access() || at(a).location != at(b).location;
  };
  Index of_thread[Clock::lanes] = {};
  for (Index i = 1; i <= count; ++i) {
    const Index previous = std::exchange(of_thread[at(i).thread], i);
    if (previous != 0)
      links_[i - 1].previous_elsewhere = apart(previous, i) ? previous : links_[previous - 1].previous_elsewhere;
  }
  std::fill(std::begin(of_thread), std::end(of_thread), 0);
  for (Index i = count; i != 0; --i) {
    const Index next = std::exchange(of_thread[at(i).thread], i);
    if (next != 0) links_[i - 1].next_elsewhere = apart(i, next) ? next : links_[next - 1].next_elsewhere;
  }
  for (const Index newest : newest_) {
    std::uint32_t length = 0;
    for (Index i = newest; i != 0; i = at(i).older) ++length;
    for (Index i = newest; i != 0; i = at(i).older) links_[i - 1].position = length--;
  }
  for (Index i = 1; i <= count; ++i) {
    if (at(i).reads && !at(i).writes) links_[i - 1].position = at(i).source ? links_[at(i).source - 1].position : 0;
  }
}

void StrongOrder::reach(Index strong) {
  if (reached_[strong]) return;
  reached_[strong] = true;
  open_.push_back(strong);
}

/// All that psc leads to from one event, of which these are the ones that scb or, from a fence, eco may leave.
void StrongOrder::follow(const std::vector<Index>& from, bool from_fence) {
  for (Index i = 1; i <= events_.size(); ++i) {
    const auto comes_after = [&](Index y) { return comes_first(y, i); };
    const auto is_seen_after = [&](Index y) { return is_seen(y, i); };
    const bool first = std::any_of(from.begin(), from.end(), comes_after);
    if (first && at(i).strong) reach(i);
    if (!first && !(from_fence && std::any_of(from.begin(), from.end(), is_seen_after))) continue;
    for (const Index fence : strong_fences_) {
      if (before(i, fence)) reach(fence);
    }
  }
}

/// Whether psc leads from this event, the last one, to where it can have come from: itself, or a fence before it.
bool StrongOrder::comes_back(Index through, bool from_fence) {
  reached_.assign(events_.size() + 1, false);
  open_.clear();
  std::vector<Index> from{through};
  follow(from, from_fence);
  while (!open_.empty()) {
    const Index strong = open_.back();
    open_.pop_back();
    const bool is_fence = !at(strong).is_access();
    if (from_fence ? is_fence && before(strong, through) : strong == through) return true;
    from.assign(1, strong);
    if (is_fence) {
      for (Index i = 1; i <= events_.size(); ++i) {
        if (before(strong, i)) from.push_back(i);
      }
      for (const Index fence : strong_fences_) {
        if (before(strong, fence)) reach(fence);
      }
    }
    follow(from, is_fence);
  }
  return false;
}

bool StrongOrder::comes_after_fence(const Event& event) const {
  return std::any_of(strong_fences_.begin(), strong_fences_.end(), [&](Index fence) {
    const Event& f = at(fence);
    return f.thread == event.thread || event.known.lane[f.thread] >= f.number;
  });
}

bool StrongOrder::forbids(const Event& event, Index newer) {
  const Index last = last_[event.thread];
  insert(event, newer);
  link();
  const Index self = last_[event.thread];
  const bool closes = (event.strong && comes_back(self, false)) || (comes_after_fence(event) && comes_back(self, true));
  take_back(newer);
  last_[event.thread] = last;
  return closes;
}

}  // namespace muster
