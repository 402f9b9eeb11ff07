#pragma once
// The queue of Herlihy and Wing (TOPLAS 1990, section 4): linearizable, with a dequeue that waits for an item.
#include <array>
#include <atomic>
#include <thread>

namespace subjects::roundup {

class HerlihyWingQueue {
 public:
  void enq(int value) { cells_[back_.fetch_add(1)].store(value); }

  int deq() {
    for (;;) {
      const unsigned range = back_.load();
      for (unsigned i = 0; i < range; ++i) {
        const int value = cells_[i].exchange(kEmpty);
        if (value != kEmpty) return value;
      }
      std::this_thread::yield();
    }
  }

 private:
  static constexpr int kEmpty = 0;

  std::array<std::atomic<int>, 64> cells_{};
  std::atomic<unsigned> back_{0};
};

}  // namespace subjects::roundup
