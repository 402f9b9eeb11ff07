#pragma once
// Threads that wait: for whoever wakes them, for a deadline, or for the end of others.

#include <cstdint>

#include "base/event.hpp"

namespace muster {

class Engine;
struct Thread;

/// What of it goes back with the execution.
struct BlockingState {
  std::uint64_t awaited_ = 0;   // threads whose ends thread 0 waits for
  std::uint64_t joined_ = 0;    // threads whose end somebody has waited for
  std::uint64_t detached_ = 0;  // threads whose end nobody may wait for
};

class Blocking : private BlockingState {
 public:
  explicit Blocking(Engine& engine) : engine_(engine) {}

  /// The running thread arrives at an event that cannot happen now: it will block, so this is no point.
  void arrive(EventKind kind, ObjectId object, SiteId site);
  /// The running thread cannot go on until somebody calls `unblock`; with a deadline it may expire instead. False if it
  /// expired.
  bool block(EventKind why, ObjectId on, const std::uint64_t* deadline = nullptr);
  void unblock(ThreadId id);
  /// What a blocked thread waits for is there, but now it waits for something else, without a deadline.
  void block_instead(ThreadId id, EventKind why, ObjectId on);
  /// A thread that is about to take something cannot any more: somebody else was faster.
  void reblock(ThreadId id);

  /// Somebody waited for the thread's end; nobody may any more.
  void was_joined(ThreadId id) { joined_ |= std::uint64_t{1} << id; }
  void detach(ThreadId id) { detached_ |= std::uint64_t{1} << id; }
  bool can_be_joined(ThreadId id) const { return ((joined_ | detached_) >> id & 1) == 0; }
  /// Thread 0 will wait for this thread, among others, in `join_all`: once for all of them.
  void join_later(ThreadId id) { awaited_ |= std::uint64_t{1} << id; }
  void join_all();
  /// To be called when the running thread has waited for another one's end.
  void look_whether_alone();

 private:
  friend class Engine;
  friend class GoingBack;

  void start() { static_cast<BlockingState&>(*this) = {}; }
  /// It has ended: whoever waits for that goes on.
  void wake_joiners(Thread& ended);

  Engine& engine_;
};

}  // namespace muster
