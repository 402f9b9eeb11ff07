#pragma once
// Watches one execution in full: every event with the stack that led to it. For replays only.

#include <functional>
#include <map>
#include <vector>

#include "base/channel.hpp"
#include "runtime/engine.hpp"

namespace muster {

constexpr unsigned traced_frames = 12;

struct TracedEvent {
  Event event;
  std::uint64_t stack[traced_frames] = {};  // code addresses, innermost first, 0 at the end
  std::uint32_t block = 0;                  // the how-manieth heap block the object lies in, from 1
  std::uint32_t block_offset = 0;
  std::uint32_t block_site = 0;
  ThreadId owner = no_thread;     // of the mutex that this is about
  ThreadId stack_of = no_thread;  // the thread on whose stack the object lies
  std::uint64_t frame_code = 0;   // in which of its frames: an address of code in it,
  std::int64_t from_frame = 0;    // and how far from the frame's canonical address
  std::uint32_t preemptions = 0;  // that have happened until then
  ThreadId newer_by = no_thread;  // who wrote a newer value, which this takes no notice of,
  std::uint32_t newer_at = 0;     // and where
  bool amends = false;            // nothing happened: the last one said too little of its value
  bool blocked = false;           // the thread cannot go on: it waits for this
  char answer[88] = {};           // of an operation that returns; a longer one ends in "…"
};

/// The next one that is told.
void append(std::vector<TracedEvent>& events, const TracedEvent& told);

/// A frame of a model thread's stack: what it was about to return to, and the memory between its callee's canonical
/// address and its own.
struct TracedFrame {
  std::uint64_t code, low, high;
};

class Tracer final : public Observer {
 public:
  explicit Tracer(Engine& engine, std::function<void(const TracedEvent&)> tell)
      : engine_(engine), tell_(std::move(tell)) {}

  bool watches_events() const override { return true; }
  void event(const Event& event) noexcept override { tell(event, false); }
  void older_value(ThreadId thread, ThreadId newer_by, std::uint32_t newer_at) noexcept override;
  void blocked(ThreadId thread, EventKind why, ObjectId on) noexcept override {
    tell({.object = on, .site = 0, .index = 0, .thread = thread, .kind = why}, true);
  }
  /// Returns of operations are told as events; calls are events already, but for those under reduction.
  void mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept override;
  void incident(const Incident& incident) noexcept override { incidents.push_back(incident); }

  /// At the end of an execution: threads that were about to take something that another took first.
  void tell_blocked();

  std::vector<Incident> incidents;

 private:
  void tell(const Event& event, bool blocked) noexcept;
  void locate(TracedEvent& traced);
  void locate_frame(TracedEvent& traced) const;

  Engine& engine_;
  std::function<void(const TracedEvent&)> tell_;
  std::uint64_t told_blocked_ = 0;                       // threads whose last event was that they cannot go on
  std::map<ThreadId, std::vector<TracedFrame>> frames_;  // of each thread, when it was heard of last
  std::map<std::uint64_t, std::uint32_t> blocks_;        // by address of the header, numbered as they are met
};

}  // namespace muster
