// Library classes that are linearizable: a failure here would be news.
#include <tbb/concurrent_queue.h>

#include <boost/lockfree/queue.hpp>
#include <map>
#include <muster/check.hpp>
#include <mutex>
#include <optional>
#include <queue>

namespace {

class LockedQueue {
 public:
  void push(int value) {
    const std::lock_guard lock{mutex_};
    queue_.push(value);
  }
  std::optional<int> try_pop() {
    const std::lock_guard lock{mutex_};
    if (queue_.empty()) return std::nullopt;
    const int value = queue_.front();
    queue_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::queue<int> queue_;
};

class LockedMap {
 public:
  bool insert(int key, int value) {
    const std::lock_guard lock{mutex_};
    return map_.emplace(key, value).second;
  }
  bool erase(int key) {
    const std::lock_guard lock{mutex_};
    return map_.erase(key) > 0;
  }
  std::optional<int> find(int key) {
    const std::lock_guard lock{mutex_};
    const auto found = map_.find(key);
    return found == map_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex mutex_;
  std::map<int, int> map_;
};

MUSTER_CHECK(locked_queue) {
  auto queue = check.object<LockedQueue>();
  queue.operation("push", &LockedQueue::push).with(1).with(2);
  queue.operation("try_pop", &LockedQueue::try_pop);
}

MUSTER_CHECK(locked_map) {
  auto map = check.object<LockedMap>();
  map.operation("insert", &LockedMap::insert).with(1, 10).with(1, 11).with(2, 20);
  map.operation("erase", &LockedMap::erase).with(1);
  map.operation("find", &LockedMap::find).with(1).with(2);
}

MUSTER_CHECK(tbb_concurrent_queue) {
  using Queue = tbb::concurrent_queue<int>;
  auto queue = check.object<Queue>();
  queue.operation("push", [](Queue& q, int value) { q.push(value); }).with(1).with(2);
  queue.operation("try_pop", [](Queue& q) {
    int value = 0;
    return q.try_pop(value) ? std::optional(value) : std::nullopt;
  });
}

// A node goes back to a list of free nodes, and from there to another push, while a slower thread may still look at it:
// it reads the item, or the link, that the new owner writes without synchronisation. These are data races by the letter
// of the standard. What was read is thrown away, because the tag beside the pointer has changed and the
// compare-exchange that follows fails.
MUSTER_CHECK(boost_lockfree_queue) {
  check.suppress_races("boost[:/]+lockfree");
  using Queue = boost::lockfree::queue<int>;
  auto queue = check.object<Queue>(8);
  queue.operation("push", [](Queue& q, int value) { return q.push(value); }).with(1).with(2);
  queue.operation("pop", [](Queue& q) {
    int value = 0;
    return q.pop(value) ? std::optional(value) : std::nullopt;
  });
}

}  // namespace
