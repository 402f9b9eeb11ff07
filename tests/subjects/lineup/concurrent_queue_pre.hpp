#pragma once
// The queue of an earlier release: linked, with a lock at each end, and a blocking Take. Its fault is bug B of Line-Up
// (sections 1.1 and 5.2.1, Figures 1 and 7).
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "../include/chain.hpp"

namespace subjects::lineup {

enum class TakeFault {
  kNone,
  /// Bug B: who takes claims an item, then asks for the lock with a timeout; if it expires the claim is forgotten.
  /// TryTake then fails although there are items, at once (Figure 1) or when a Take forgot a claim before it (Figure
  /// 7).
  kLockTimesOut,
};

template <TakeFault fault = TakeFault::kNone>
class BasicConcurrentQueuePre {
 public:
  BasicConcurrentQueuePre() = default;
  BasicConcurrentQueuePre(const BasicConcurrentQueuePre&) = delete;
  BasicConcurrentQueuePre& operator=(const BasicConcurrentQueuePre&) = delete;

  ~BasicConcurrentQueuePre() { delete_chain(head_); }

  /// The first item is linked and offered with the takers' lock held, so that no taker sees the one without the other.
  void add(int value) {
    Node* const node = new Node{value, {}};
    const std::lock_guard at_tail{tail_mutex_};
    std::unique_lock at_head{head_mutex_, std::defer_lock};
    if (size_.load() == 0) at_head.lock();
    tail_->next.store(node);
    tail_ = node;
    size_.fetch_add(1);
    offer();
  }

  int take() {
    for (;;) {
      if (const std::optional<int> taken = try_take_once()) return *taken;
      wait_for_offer();
    }
  }

  std::optional<int> try_take() { return try_take_once(); }

  void enqueue(int value) { add(value); }
  std::optional<int> try_dequeue() { return try_take(); }

  std::optional<int> try_peek() {
    const std::lock_guard at_tail{tail_mutex_};
    const std::lock_guard at_head{head_mutex_};
    const Node* const first = head_->next.load();
    if (first == nullptr) return std::nullopt;
    return first->value;
  }

  int count() { return static_cast<int>(to_array().size()); }
  bool is_empty() { return count() == 0; }

  std::vector<int> to_array() {
    const std::lock_guard at_tail{tail_mutex_};
    const std::lock_guard at_head{head_mutex_};
    std::vector<int> values;
    for (const Node* node = head_->next.load(); node != nullptr; node = node->next.load())
      values.push_back(node->value);
    return values;
  }

 private:
  struct Node {
    int value;
    std::atomic<Node*> next;
  };

  static constexpr std::chrono::milliseconds kPatience{1};

  void offer() {
    const std::lock_guard lock{offers_mutex_};
    ++offers_;
    offered_.notify_one();
  }

  void wait_for_offer() {
    std::unique_lock lock{offers_mutex_};
    offered_.wait(lock, [this] { return offers_ > 0; });
  }

  bool try_claim() {
    const std::lock_guard lock{offers_mutex_};
    if (offers_ == 0) return false;
    --offers_;
    return true;
  }

  // Claiming and removing are one step only if the lock is there first.
  std::optional<int> try_take_once() {
    if constexpr (fault == TakeFault::kLockTimesOut) {
      if (!try_claim()) return std::nullopt;
      const std::unique_lock at_head{head_mutex_, kPatience};
      if (!at_head) return std::nullopt;
      return remove_first();
    } else {
      const std::lock_guard at_head{head_mutex_};
      if (!try_claim()) return std::nullopt;
      return remove_first();
    }
  }

  int remove_first() {
    Node* const first = head_->next.load();
    delete head_;
    head_ = first;
    size_.fetch_sub(1);
    return first->value;
  }

  std::mutex tail_mutex_;
  std::timed_mutex head_mutex_;
  Node* head_ = new Node{0, {}};  // guarded by head_mutex_
  Node* tail_ = head_;            // guarded by tail_mutex_
  std::atomic<int> size_{0};

  std::mutex offers_mutex_;
  std::condition_variable offered_;
  int offers_ = 0;
};

using ConcurrentQueuePreRepaired = BasicConcurrentQueuePre<>;
using ConcurrentQueuePre = BasicConcurrentQueuePre<TakeFault::kLockTimesOut>;

}  // namespace subjects::lineup
