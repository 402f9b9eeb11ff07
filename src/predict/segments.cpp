#include "predict/segments.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Kind;

Segments::Thread& Segments::thread(std::uint32_t id) {
  if (id >= threads_.size()) threads_.resize(id + 1);
  return threads_[id];
}

std::uint32_t Segments::current(std::uint32_t id) {
  if (thread(id).segments.empty()) open_segment(id, 0);
  return static_cast<std::uint32_t>(thread(id).segments.size() - 1);
}

void Segments::open_segment(std::uint32_t id, std::uint32_t first_index) {
  Thread& owner = thread(id);
  const auto size = static_cast<std::uint32_t>(owner.now.size());
  if (clocks_.size() + size > options_.clock_words && !owner.segments.empty()) {
    // The last segment goes on, with the later clock: all its events count as ordered like its last one.
    thinned_ = true;
    Segment& last = owner.segments.back();
    if (last.clock_size < size) {
      last.clock = clocks_.size();
      last.clock_size = size;
      clocks_.resize(clocks_.size() + size);
    }
    std::ranges::copy(owner.now, clocks_.begin() + static_cast<std::ptrdiff_t>(last.clock));
    return;
  }
  owner.segments.push_back({first_index, size, clocks_.size()});
  clocks_.insert(clocks_.end(), owner.now.begin(), owner.now.end());
}

void Segments::join(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}

Segments::Clock Segments::publish(std::uint32_t id) {
  const std::uint32_t segment = current(id);
  Clock clock = thread(id).now;
  if (clock.size() <= id) clock.resize(id + 1);
  clock[id] = segment + 1;
  return clock;
}

void Segments::order_event(const trace::Event& event) {
  const std::uint32_t next_index = event.index + 1;
  current(event.thread);
  if (event.kind == Kind::fork) {
    const Clock clock = publish(event.thread);
    join(thread(event.object).now, clock);
    open_segment(event.thread, next_index);
  } else if (event.kind == Kind::join) {
    const Clock clock = publish(event.object);
    join(thread(event.thread).now, clock);
    open_segment(event.thread, next_index);
  } else {
    if (event.object >= objects_.size()) objects_.resize(event.object + 1);
    if (is_signal(event.kind))
      join(objects_[event.object], publish(event.thread));
    else
      join(thread(event.thread).now, objects_[event.object]);
    open_segment(event.thread, next_index);
  }
}

std::uint32_t Segments::first_index(std::uint32_t thread, std::uint32_t s) const {
  const auto& segments = threads_[thread].segments;
  return s < segments.size() ? segments[s].first_index : past_the_end;
}

std::uint32_t Segments::segment_at(std::uint32_t thread, std::uint32_t index) const {
  const auto& segments = threads_[thread].segments;
  const auto after = std::ranges::upper_bound(segments, index, {}, &Segment::first_index);
  return static_cast<std::uint32_t>(after - segments.begin()) - 1;
}

}  // namespace muster::predict
