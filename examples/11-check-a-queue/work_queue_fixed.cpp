// The queue beside it, with a taker that waits for the lock.
#include <muster/check.hpp>

#include <deque>
#include <mutex>
#include <optional>

class WaitingWorkQueue {
 public:
  void add(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
  }

  std::optional<int> try_take() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::deque<int> items_;
};

MUSTER_CHECK(work_queue_fixed) {
  auto queue = check.object<WaitingWorkQueue>();
  queue.operation("Add", &WaitingWorkQueue::add).with(200).with(400);
  queue.operation("TryTake", &WaitingWorkQueue::try_take);
}
