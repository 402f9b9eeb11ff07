#pragma once
// A queue with blocking ends that can be closed (.NET: BlockingCollection): a lock-free queue inside, and a semaphore
// that counts what may be taken. By intention it is not deterministically linearizable (Line-Up, sections 5.2.2
// and 5.3):
//   H  Count looks at the semaphore, and can be 0 while an item is in the queue;
//   I  TryTake fails when all items are spoken for, while ToArray still shows them;
//   K  CompleteAdding leaves the closing to additions under way, and may take effect after it has returned.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "concurrent_queue.hpp"

namespace subjects::lineup {

enum class CollectionFault {
  kNone,
  kLooksTooEarly,  ///< Bug D: an addition looks for sleeping takers before its item may be taken, and wakes only those.
};

template <CollectionFault fault = CollectionFault::kNone>
class BasicBlockingCollection {
 public:
  int count() const { return available_.load(); }
  std::vector<int> to_array() const { return queue_.to_array(); }
  bool is_adding_completed() const { return (adding_.load() & kClosed) != 0; }
  bool is_completed() const { return is_adding_completed() && available_.load() == 0; }

  void complete_adding() {
    unsigned seen = adding_.load();
    while (!adding_.compare_exchange_weak(seen, closing(seen | kClosing))) {
    }
    if ((closing(seen | kClosing) & kClosed) != 0) wake_all();
  }

  void add(int value) {
    if (!try_add(value)) throw std::logic_error("adding is completed");
  }

  /// False if adding is completed.
  bool try_add(int value) {
    if (!begin_adding()) return false;
    queue_.enqueue(value);
    make_available();
    end_adding();
    return true;
  }

  /// TryAdd(1): there is always room, so the timeout never matters.
  bool try_add_for(int value, std::chrono::milliseconds) { return try_add(value); }

  int take() {
    if (!claim([this](auto& lock, auto ready) {
          changed_.wait(lock, ready);
          return true;
        })) {
      throw std::logic_error("completed and empty");
    }
    return *queue_.try_dequeue();
  }

  /// Takes as one step of an enumeration: nothing when completed and empty.
  std::optional<int> take_with_enum() {
    if (!claim([this](auto& lock, auto ready) {
          changed_.wait(lock, ready);
          return true;
        })) {
      return std::nullopt;
    }
    return queue_.try_dequeue();
  }

  std::optional<int> try_take() {
    if (!try_claim()) return std::nullopt;
    return queue_.try_dequeue();
  }

  std::optional<int> try_take_for(std::chrono::milliseconds patience) {
    if (!claim([&](auto& lock, auto ready) { return changed_.wait_for(lock, patience, ready); })) return std::nullopt;
    return queue_.try_dequeue();
  }

 private:
  // adding_: closed for good, to be closed by the last addition under way, and how many are under way.
  static constexpr unsigned kClosed = 1;
  static constexpr unsigned kClosing = 2;
  static constexpr unsigned kAdder = 4;

  static unsigned closing(unsigned adding) { return adding == kClosing ? kClosed : adding; }

  bool begin_adding() {
    unsigned seen = adding_.load();
    do {
      if ((seen & kClosed) != 0) return false;
    } while (!adding_.compare_exchange_weak(seen, seen + kAdder));
    return true;
  }

  void end_adding() {
    unsigned seen = adding_.load();
    while (!adding_.compare_exchange_weak(seen, closing(seen - kAdder))) {
    }
    if ((closing(seen - kAdder) & kClosed) != 0) wake_all();
  }

  bool try_claim() {
    int seen = available_.load();
    do {
      if (seen == 0) return false;
    } while (!available_.compare_exchange_weak(seen, seen - 1));
    return true;
  }

  // False if the wait expired, or if the collection is completed and empty.
  template <class Wait>
  bool claim(Wait wait) {
    while (!try_claim()) {
      std::unique_lock lock{mutex_};
      if (is_completed()) return false;
      sleepers_.fetch_add(1);
      const bool ready = wait(lock, [this] { return available_.load() > 0 || is_adding_completed(); });
      sleepers_.fetch_sub(1);
      if (!ready) return false;
    }
    return true;
  }

  void make_available() {
    if constexpr (fault == CollectionFault::kLooksTooEarly) {
      const bool somebody_sleeps = sleepers_.load() > 0;
      available_.fetch_add(1);
      if (somebody_sleeps) wake_all();
    } else {
      available_.fetch_add(1);
      if (sleepers_.load() > 0) wake_all();
    }
  }

  void wake_all() {
    const std::lock_guard lock{mutex_};
    changed_.notify_all();
  }

  ConcurrentQueue queue_;
  std::atomic<unsigned> adding_{0};
  std::atomic<int> available_{0};
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

using BlockingCollection = BasicBlockingCollection<>;
using BlockingCollectionPre = BasicBlockingCollection<CollectionFault::kLooksTooEarly>;

}  // namespace subjects::lineup
