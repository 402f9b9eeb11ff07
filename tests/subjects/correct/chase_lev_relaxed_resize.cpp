// A work-stealing deque (Chase and Lev): the grown array is published by a release store.
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>
#include <vector>

namespace {

class Array {
 public:
  explicit Array(long capacity) : capacity_{capacity}, cells_{std::make_unique<std::atomic<int>[]>(capacity)} {}

  long capacity() const { return capacity_; }
  int get(long index) const { return cells_[index % capacity_].load(std::memory_order_relaxed); }
  void put(long index, int value) { cells_[index % capacity_].store(value, std::memory_order_relaxed); }

 private:
  long capacity_;
  std::unique_ptr<std::atomic<int>[]> cells_;
};

class WorkStealingDeque {
 public:
  WorkStealingDeque() { array_.store(keep(std::make_unique<Array>(1)), std::memory_order_relaxed); }

  /// By the owner alone.
  void push(int value) {
    const long bottom = bottom_.load(std::memory_order_relaxed);
    const long top = top_.load(std::memory_order_acquire);
    Array* array = array_.load(std::memory_order_relaxed);
    if (bottom - top == array->capacity()) array = grow(*array, top, bottom);
    array->put(bottom, value);
    // (1) release: publishes the cell to the acquire at (2).
    bottom_.store(bottom + 1, std::memory_order_release);
  }

  std::optional<int> steal() {
    long top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    // (2) acquire: pairs with (1).
    const long bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom) return std::nullopt;
    // (3) acquire: the array may be newer than the bottom just read; pairs with (4).
    const int value = array_.load(std::memory_order_acquire)->get(top);
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst)) return std::nullopt;
    return value;
  }

 private:
  Array* grow(const Array& old, long top, long bottom) {
    auto bigger = std::make_unique<Array>(2 * old.capacity());
    for (long i = top; i != bottom; ++i) bigger->put(i, old.get(i));
    // (4) release: publishes the array to (3).
    array_.store(bigger.get(), std::memory_order_release);
    return keep(std::move(bigger));
  }

  // Thieves may still read an old array, so all of them live as long as the deque.
  Array* keep(std::unique_ptr<Array> array) {
    arrays_.push_back(std::move(array));
    return arrays_.back().get();
  }

  std::atomic<long> top_{0};
  std::atomic<long> bottom_{0};
  std::atomic<Array*> array_{nullptr};
  std::vector<std::unique_ptr<Array>> arrays_;
};

}  // namespace

MUSTER_SCENARIO(chase_lev_relaxed_resize) {
  WorkStealingDeque deque;
  deque.push(1);
  std::thread thief{[&] {
    const std::optional<int> stolen = deque.steal();
    MUSTER_REQUIRE(!stolen || *stolen == 1);
  }};
  deque.push(2);
  thief.join();
}
