#pragma once
// Watches one execution in full: every event with the stack that led to it. For replays only.

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "base/channel.hpp"
#include "runtime/engine.hpp"
#include "runtime/racy_sites.hpp"

namespace muster {

constexpr unsigned traced_frames = 12;
constexpr unsigned most_asides = 4096;  // of an execution that has more, not all are told

/// What of the execution an address lies in: nothing of this for globals, code, and what is no address.
struct Location {
  std::uint64_t address = 0;
  std::uint32_t block = 0;  // the how-manieth heap block, from 1
  std::uint32_t block_offset = 0;
  std::uint32_t block_site = 0;
  ThreadId stack_of = no_thread;  // the thread on whose stack it lies
  std::uint64_t frame_code = 0;   // in which of its frames: an address of code in it,
  std::int64_t from_frame = 0;    // and how far from the frame's canonical address
};

/// What an access found and left, with where each word of it points if it is an address (its lowest and highest bits
/// aside, which may be marks).
struct TracedValues {
  struct Value {
    AccessValues::Word words{};
    std::array<Location, std::tuple_size_v<AccessValues::Word>> at{};
  };
  Value found{}, left{}, wanted{}, newest{};
  AccessValues::Missed missed{};  // `newest`
  std::uint8_t size = 0;
  AccessValues::Deed deed = AccessValues::Deed::none;
  bool finds_leftovers = false;  // what it found was never written, and may differ in another process
};

struct TracedEvent {
  Event event;
  std::uint64_t stack[traced_frames] = {};  // code addresses, innermost first, 0 at the end
  Location location{};                      // of the object
  ThreadId owner = no_thread;               // of the mutex that this is about
  std::uint32_t preemptions = 0;            // that have happened until then
  bool aside = false;                       // a plain access that is no point
  bool blocked = false;                     // the thread cannot go on: it waits for this,
  bool timed = false;                       // at most until its deadline
  bool expired = false;                     // which has come
  bool spurious = false;                    // it fails, or wakes up, although it need not; told after the event
  ThreadId woken_by = no_thread;            // of a thread that goes on after it was blocked
  bool wakes_nobody = false;                // of a notification
  char answer[88] = {};                     // of an operation that returns; a longer one ends in "…"
  TracedValues values{};                    // told after the event
};

/// A frame of a model thread's stack: what it was about to return to, and the memory between its callee's canonical
/// address and its own.
struct TracedFrame {
  std::uint64_t code, low, high;
};

/// That the event is about, and that its values point to.
template <class Use>
void for_each_location(TracedEvent& traced, Use use) {
  use(traced.location);
  for (TracedValues::Value* value :
       {&traced.values.found, &traced.values.left, &traced.values.wanted, &traced.values.newest}) {
    for (Location& location : value->at) use(location);
  }
}

/// Who is told.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  virtual void event(const TracedEvent& event) = 0;
  /// Of the last event.
  virtual void values(const TracedValues& values) = 0;
  virtual void fails_spuriously() = 0;
};

class Tracer final : public Observer {
 public:
  Tracer(Engine& engine, const RacySites& points, TraceReader& reader)
      : engine_(engine), points_(points), reader_(reader) {}

  bool watches_events() const override { return true; }
  void event(const Event& event) noexcept override { tell(event, false); }
  void blocked(ThreadId thread, EventKind why, ObjectId on) noexcept override {
    tell({.object = on, .site = 0, .index = 0, .thread = thread, .kind = why}, true);
  }
  void values(const AccessValues& values) noexcept override;
  void fails_spuriously() noexcept override;
  /// Returns of operations are told as events; calls are events already, but for those under reduction.
  void mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept override;
  void incident(const Incident& incident) noexcept override { incidents.push_back(incident); }

  /// At the end of an execution: threads that were about to take something that another took first.
  void tell_blocked();

  std::vector<Incident> incidents;

 private:
  void tell(const Event& event, bool blocked) noexcept;
  bool is_aside(const Event& event) const;
  void note_wakers();
  void tell_waking(TracedEvent& traced);
  void finish(TracedEvent& traced);
  Location locate(std::uint64_t address);
  void locate_frame(Location& location) const;
  TracedValues::Value locate(const AccessValues::Word& words);
  bool finds_leftovers(const AccessValues& values) const;
  void tell_values(const AccessValues& values);
  void tell_write();

  Engine& engine_;
  const RacySites& points_;
  TraceReader& reader_;
  unsigned asides_ = 0;
  bool has_values_ = true;           // that are told of the last event
  AccessValues write_;               // the last event is this plain write: what it leaves shows when the thread goes on
  std::set<std::uint64_t> written_;  // bytes of stacks
  std::uint64_t told_blocked_ = 0;   // threads whose last event was that they cannot go on
  ThreadId last_ = no_thread;        // that did something
  struct Sleeper {
    std::uint32_t unblocked = 0;  // so often when it was blocked
    ThreadId woken_by = no_thread;
  };
  std::array<Sleeper, max_threads> sleepers_;
  std::map<ThreadId, std::vector<TracedFrame>> frames_;  // of each thread, when it was heard of last
  std::map<std::uint64_t, std::uint32_t> blocks_;        // by address of the header, numbered as they are met
};

}  // namespace muster
