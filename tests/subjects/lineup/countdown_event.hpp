#pragma once
// An event that is set when its count has come down to zero (.NET: CountdownEvent). The count is lock-free.
#include <atomic>
#include <stdexcept>

#include "manual_reset_event.hpp"

namespace subjects::lineup {

class CountdownEvent {
 public:
  explicit CountdownEvent(int count = 2) : count_{count}, event_{count == 0} {}

  bool is_set() const { return count_.load() == 0; }
  int current_count() const { return count_.load(); }

  /// True if this call brought the count to zero.
  bool signal(int times = 1) {
    int seen = count_.load();
    do {
      if (seen < times) throw std::logic_error("signalled more often than counted");
    } while (!count_.compare_exchange_weak(seen, seen - times));
    if (seen != times) return false;
    event_.set();
    return true;
  }

  void add_count(int times = 1) {
    if (!try_add_count(times)) throw std::logic_error("already set");
  }

  /// False if the event is set: it stays so.
  bool try_add_count(int times = 1) {
    int seen = count_.load();
    do {
      if (seen == 0) return false;
    } while (!count_.compare_exchange_weak(seen, seen + times));
    return true;
  }

  void wait() {
    if (!is_set()) event_.wait();
  }

  /// Wait(0).
  bool try_wait() const { return is_set(); }

  void wait_one() { event_.wait_one(); }

 private:
  std::atomic<int> count_;
  ManualResetEvent event_;
};

}  // namespace subjects::lineup
