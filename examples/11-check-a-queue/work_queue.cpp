// A queue that gives up when it cannot have the lock at once. Called serially it never does, so a taker that finds nothing in a queue
// that is not empty has no serial explanation: the check finds it without being told what a queue is.
#include <muster/check.hpp>

#include <deque>
#include <mutex>
#include <optional>

class WorkQueue {
 public:
  void add(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
  }

  std::optional<int> try_take() {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || items_.empty()) return std::nullopt;
    return take_first();
  }

  std::optional<int> try_take_waiting() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    return take_first();
  }

 private:
  int take_first() {
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

  std::mutex mutex_;
  std::deque<int> items_;
};

MUSTER_CHECK(work_queue) {
  auto queue = check.object<WorkQueue>();
  queue.operation("Add", &WorkQueue::add).with(200).with(400);
  queue.operation("TryTake", &WorkQueue::try_take);
  check.test("first: Add(400) | Add(200) | TryTake");
}

MUSTER_CHECK(work_queue_fixed) {
  auto queue = check.object<WorkQueue>();
  queue.operation("Add", &WorkQueue::add).with(200).with(400);
  queue.operation("TryTake", &WorkQueue::try_take_waiting);
  check.test("first: Add(400) | Add(200) | TryTake");
}
