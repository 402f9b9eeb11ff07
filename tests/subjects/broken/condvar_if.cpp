// `if` instead of `while`: a consumer that was woken takes from a queue which another consumer has emptied.
#include <condition_variable>
#include <deque>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Queue {
 public:
  void push(int value) {
    const std::lock_guard lock{mutex_};
    items_.push_back(value);
    filled_.notify_one();
  }

  int pop() {
    std::unique_lock lock{mutex_};
    if (items_.empty()) filled_.wait(lock);
    MUSTER_REQUIRE(!items_.empty());
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<int> items_;
};

}  // namespace

MUSTER_SCENARIO(condvar_if) {
  Queue queue;
  std::thread a{[&] { queue.pop(); }};
  std::thread b{[&] { queue.pop(); }};
  queue.push(1);
  queue.push(2);
  a.join();
  b.join();
}
