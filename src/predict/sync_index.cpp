#include "predict/sync_index.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Kind;

void SyncIndex::consume(std::span<const trace::Event> events) {
  for (const trace::Event& event : events) {
    const std::uint32_t highest = object_class(event.kind) == trace::NameClass::thread
                                      ? std::max<std::uint32_t>(event.thread, event.object)
                                      : event.thread;
    if (highest >= threads_.size()) threads_.resize(highest + 1);
    Thread& thread = threads_[event.thread];
    thread.count = event.index + 1;
    if (size_ < capacity_) {
      thread.covered = event.index + 1;
      if (!is_access(event.kind) && has_object(event.kind)) add(thread, event);
    }
  }
}

void SyncIndex::add(Thread& thread, const trace::Event& event) {
  if (is_acquire(event.kind)) ++thread.held;
  if ((event.kind == Kind::unlock || event.kind == Kind::unlock_shared) && thread.held > 0) --thread.held;
  thread.events.push_back({event.index, event.object, event.site, size_++, event.kind, thread.held});
}

std::uint32_t SyncIndex::position(std::uint32_t thread, std::uint32_t index) const {
  const auto& events = threads_[thread].events;
  return static_cast<std::uint32_t>(std::ranges::lower_bound(events, index, {}, &SyncEvent::index) - events.begin());
}

}  // namespace muster::predict
