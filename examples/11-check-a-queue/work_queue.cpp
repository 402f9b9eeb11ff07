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
    std::unique_lock lock(mutex_, std::try_to_lock);  // who does not get the lock at once says that there is nothing
    if (!lock || items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::deque<int> items_;
};

MUSTER_CHECK(work_queue) {
  auto queue = check.object<WorkQueue>();
  queue.operation("Add", &WorkQueue::add).with(200).with(400);
  queue.operation("TryTake", &WorkQueue::try_take);
}
