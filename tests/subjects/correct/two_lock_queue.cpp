// A queue with one lock at each end: on an empty queue both ends meet in the dummy's link, which is atomic.
#include <atomic>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <thread>

namespace {

class TwoLockQueue {
 public:
  ~TwoLockQueue() {
    while (head_ != nullptr) {
      Node* const next = head_->next;
      delete head_;
      head_ = next;
    }
  }

  void enqueue(int value) {
    Node* const node = new Node{value, {}};
    const std::lock_guard lock{tail_mutex_};
    tail_->next = node;
    tail_ = node;
  }

  std::optional<int> dequeue() {
    const std::lock_guard lock{head_mutex_};
    Node* const first = head_->next;
    if (first == nullptr) return std::nullopt;
    delete head_;
    head_ = first;
    return first->value;
  }

 private:
  struct Node {
    int value;
    std::atomic<Node*> next;
  };

  std::mutex head_mutex_;
  std::mutex tail_mutex_;
  Node* head_ = new Node{0, {}};
  Node* tail_ = head_;
};

}  // namespace

MUSTER_SCENARIO(two_lock_queue) {
  TwoLockQueue queue;
  std::thread a{[&] { queue.enqueue(1); }};
  const std::optional<int> seen = queue.dequeue();
  MUSTER_REQUIRE(!seen || *seen == 1);
  a.join();
}
