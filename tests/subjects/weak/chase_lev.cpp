// A work-stealing deque (Lê, Pop, Cohen, Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models",
// PPoPP 2013), with each of its fences left out in turn: an item is taken twice, or one that was never put there.
#include <atomic>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>
#include <vector>

namespace {

enum class Without { nothing, fence_in_take, fence_in_push, fence_in_steal };

template <Without Fence>
class Deque {
 public:
  void push(int item) {
    const long bottom = bottom_.load(std::memory_order_relaxed);
    (void)top_.load(std::memory_order_acquire);
    cells_[bottom % size].store(item, std::memory_order_relaxed);
    if (Fence != Without::fence_in_push) std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  std::optional<int> take() {
    const long bottom = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(bottom, std::memory_order_relaxed);
    if (Fence != Without::fence_in_take) std::atomic_thread_fence(std::memory_order_seq_cst);
    long top = top_.load(std::memory_order_relaxed);
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return std::nullopt;
    }
    const int item = cells_[bottom % size].load(std::memory_order_relaxed);
    if (top < bottom) return item;
    const bool taken = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return taken ? std::optional(item) : std::nullopt;
  }

  std::optional<int> steal() {
    long top = top_.load(std::memory_order_acquire);
    if (Fence != Without::fence_in_steal) std::atomic_thread_fence(std::memory_order_seq_cst);
    const long bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return std::nullopt;
    const int item = cells_[top % size].load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return std::nullopt;
    return item;
  }

 private:
  static constexpr long size = 4;
  std::atomic<long> top_{0}, bottom_{0};
  std::atomic<int> cells_[size] = {};
};

template <Without Fence>
void use_deque() {
  Deque<Fence> deque;
  std::atomic<int> seen[3] = {};
  const auto keep = [&](std::optional<int> item) {
    if (!item) return;
    MUSTER_REQUIRE(*item != 0);
    MUSTER_REQUIRE(seen[*item].fetch_add(1) == 0);
  };
  deque.push(1);
  std::thread thief{[&] {
    keep(deque.steal());
    keep(deque.steal());
  }};
  deque.push(2);
  keep(deque.take());
  keep(deque.take());
  thief.join();
}

}  // namespace

MUSTER_SCENARIO(chase_lev) { use_deque<Without::nothing>(); }
MUSTER_SCENARIO(chase_lev_without_fence_in_take) { use_deque<Without::fence_in_take>(); }
MUSTER_SCENARIO(chase_lev_without_fence_in_push) { use_deque<Without::fence_in_push>(); }
MUSTER_SCENARIO(chase_lev_without_fence_in_steal) { use_deque<Without::fence_in_steal>(); }
