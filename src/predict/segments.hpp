#pragma once
// The order that no schedule can change: fork, join, condition variables, barriers, once. Each thread is cut into
// segments at these events; all events of a segment stand alike in this order, so a profile keeps a segment, not an
// event.

#include <span>
#include <vector>

#include "trace/event.hpp"

namespace muster::predict {

class Segments {
 public:
  struct Options {
    std::size_t clock_words = std::size_t{8} << 20;  // beyond this, segments are no longer told apart
  };

  Segments() : Segments(Options{}) {}
  explicit Segments(Options options) : options_(options) {}

  /// To be called for fork, join, signal-like and await-like events.
  void order_event(const trace::Event& event);

  /// The segment the next event of this thread belongs to.
  std::uint32_t current(std::uint32_t thread);

  /// Whether every event of segment `s` of `thread` comes before every event of segment `of_s` of `of_thread`.
  bool precedes(std::uint32_t thread, std::uint32_t s, std::uint32_t of_thread, std::uint32_t of_s) const {
    return completed_before(of_thread, of_s, thread) > s;
  }

  /// How many segments of `thread` are over before segment `of_s` of `of_thread` begins.
  std::uint32_t completed_before(std::uint32_t of_thread, std::uint32_t of_s, std::uint32_t thread) const {
    const Segment& segment = threads_[of_thread].segments[of_s];
    return thread < segment.clock_size ? clocks_[segment.clock + thread] : 0;
  }

  /// The first event index of segment `s`, or `past_the_end` if the thread has no such segment.
  static constexpr std::uint32_t past_the_end = ~0u;
  std::uint32_t first_index(std::uint32_t thread, std::uint32_t s) const;
  std::uint32_t segment_at(std::uint32_t thread, std::uint32_t index) const;
  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(threads_.size()); }

  /// Whether there were too many segments to tell apart: order is then over-stated, and predictions may be missed.
  bool thinned() const { return thinned_; }

 private:
  using Clock = std::vector<std::uint32_t>;  // by thread: segments known to be over

  struct Segment {
    std::uint32_t first_index;
    std::uint32_t clock_size;
    std::size_t clock;
  };
  struct Thread {
    Clock now;
    std::vector<Segment> segments;
  };

  Thread& thread(std::uint32_t id);
  void open_segment(std::uint32_t id, std::uint32_t first_index);
  Clock publish(std::uint32_t id);
  static void join(Clock& into, const Clock& from);

  Options options_;
  std::vector<Thread> threads_;
  std::vector<Clock> objects_;  // by order object: what its signals have published
  std::vector<std::uint32_t> clocks_;
  bool thinned_ = false;
};

}  // namespace muster::predict
