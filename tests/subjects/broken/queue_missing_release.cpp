// The consumer moves the head by a relaxed store: the producer may write into a cell that is still being read.
#include <array>
#include <atomic>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>

namespace {

class Ring {
 public:
  bool push(int value) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    // (1) acquire: pairs with nothing, (4) releases nothing.
    if (tail - head_.load(std::memory_order_acquire) == cells_.size()) return false;
    cells_[tail % cells_.size()] = value;
    // (2) release: publishes the cell to the acquire at (3).
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  std::optional<int> pop() {
    const unsigned head = head_.load(std::memory_order_relaxed);
    // (3) acquire: pairs with (2).
    if (tail_.load(std::memory_order_acquire) == head) return std::nullopt;
    const int value = cells_[head % cells_.size()];
    // (4) relaxed.
    head_.store(head + 1, std::memory_order_relaxed);
    return value;
  }

 private:
  std::array<int, 1> cells_{};
  std::atomic<unsigned> head_{0};
  std::atomic<unsigned> tail_{0};
};

}  // namespace

MUSTER_SCENARIO(queue_missing_release) {
  Ring ring;
  ring.push(1);
  std::thread producer{[&] { ring.push(2); }};
  MUSTER_REQUIRE(ring.pop() == 1);
  producer.join();
}
