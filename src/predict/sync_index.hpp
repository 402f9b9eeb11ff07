#pragma once
// The synchronisation events of a trace, a list a thread, for building and checking schedules: they are all that
// decides whether an order is legal. Bounded: of a very long trace the first part is indexed.

#include <cstdint>
#include <span>
#include <vector>

#include "trace/event.hpp"

namespace muster::predict {

struct SyncEvent {
  std::uint32_t index;  // in its thread
  std::uint32_t object;
  std::uint32_t site;
  std::uint32_t tick;  // position among all synchronisation events of the trace
  trace::Kind kind;
  std::uint16_t held;  // acquisitions not yet released, after this event
};

class SyncIndex {
 public:
  static constexpr std::size_t default_capacity = std::size_t{4} << 20;

  explicit SyncIndex(std::size_t capacity = default_capacity) : capacity_(capacity) {}

  void consume(std::span<const trace::Event> events);

  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(threads_.size()); }
  std::span<const SyncEvent> events(std::uint32_t thread) const { return threads_[thread].events; }
  /// All events of the thread, accesses included.
  std::uint32_t event_count(std::uint32_t thread) const { return threads_[thread].count; }
  /// Whether the index reaches up to this event.
  bool covers(std::uint32_t thread, std::uint32_t index) const { return index < threads_[thread].covered; }
  /// How many of the thread's synchronisation events stand before event `index`.
  std::uint32_t position(std::uint32_t thread, std::uint32_t index) const;

 private:
  struct Thread {
    std::vector<SyncEvent> events;
    std::uint32_t count = 0;
    std::uint32_t covered = 0;
    std::uint16_t held = 0;
  };

  void add(Thread& thread, const trace::Event& event);

  std::size_t capacity_;
  std::uint32_t size_ = 0;
  std::vector<Thread> threads_;
};

}  // namespace muster::predict
