#pragma once
// IQueue (Round-Up, Table I): an array queue whose dequeue may find the cell that it claimed not yet filled, and then
// answers that the queue is empty; what is stored there later is lost.
#include <array>
#include <atomic>
#include <optional>

namespace subjects::roundup {

class IQueue {
 public:
  void enq(int value) { cells_[tail_.fetch_add(1)].store(value); }

  std::optional<int> deq() {
    unsigned head = head_.load();
    do {
      if (head == tail_.load()) return std::nullopt;
    } while (!head_.compare_exchange_weak(head, head + 1));
    const int value = cells_[head].load();
    if (value == kUnfilled) return std::nullopt;
    return value;
  }

 private:
  static constexpr int kUnfilled = 0;

  std::array<std::atomic<int>, 64> cells_{};
  std::atomic<unsigned> head_{0};
  std::atomic<unsigned> tail_{0};
};

}  // namespace subjects::roundup
