#pragma once
// An event that stays set until it is reset (.NET: ManualResetEventSlim). One word holds the event and the number of
// threads that sleep for it, so that a Set which finds no sleepers needs no lock.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace subjects::lineup {

enum class EventFault {
  kNone,
  kStateReadTwice,  ///< Bug A, Line-Up section 5.2.1: the new state is computed from a second read of the state.
};

template <EventFault fault = EventFault::kNone>
class BasicManualResetEvent {
 public:
  explicit BasicManualResetEvent(bool set = false) : state_{set ? kSet : 0} {}

  void set() {
    if (sleepers(state_.fetch_or(kSet)) == 0) return;
    const std::lock_guard lock{mutex_};
    changed_.notify_all();
  }

  void reset() { state_.fetch_and(~kSet); }

  bool is_set() const { return (state_.load() & kSet) != 0; }

  /// Gives way once before it prepares to sleep: most events are set soon.
  void wait() {
    if (is_set()) return;
    std::this_thread::yield();
    announce_sleeper();
    sleep();
  }

  /// Waits as on a kernel object: goes to sleep at once.
  void wait_one() {
    state_.fetch_add(kSleeper);
    sleep();
  }

 private:
  static constexpr unsigned kSet = 1;
  static constexpr unsigned kSleeper = 2;
  static unsigned sleepers(unsigned state) { return state / kSleeper; }

  // Who waits is in no hurry: it gives way before it touches the word that those who set the event need.
  void announce_sleeper() {
    for (;;) {
      unsigned seen = state_.load();
      std::this_thread::yield();
      unsigned next = seen + kSleeper;
      if constexpr (fault == EventFault::kStateReadTwice) {
        next = state_.load() + kSleeper;
        std::this_thread::yield();
      }
      if (state_.compare_exchange_strong(seen, next)) return;
    }
  }

  // A Set that comes after the announcement takes the mutex before it wakes, so it cannot fall between look and sleep.
  void sleep() {
    {
      std::unique_lock lock{mutex_};
      changed_.wait(lock, [this] { return is_set(); });
    }
    state_.fetch_sub(kSleeper);
  }

  std::atomic<unsigned> state_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

using ManualResetEvent = BasicManualResetEvent<>;
using ManualResetEventPre = BasicManualResetEvent<EventFault::kStateReadTwice>;

}  // namespace subjects::lineup
