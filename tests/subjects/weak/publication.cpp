// What one thread makes and another one reads: a sequence lock, and an object that is made once.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

template <bool Fences>
class SequenceLock {
 public:
  void write(int value) {
    sequence_.store(1, std::memory_order_relaxed);
    if (Fences) std::atomic_thread_fence(std::memory_order_release);
    first_.store(value, std::memory_order_relaxed);
    second_.store(value, std::memory_order_relaxed);
    sequence_.store(2, std::memory_order_release);
  }
  /// False: it was being written.
  bool read(int& first, int& second) const {
    const int before = sequence_.load(std::memory_order_acquire);
    if (before % 2 != 0) return false;
    first = first_.load(std::memory_order_relaxed);
    second = second_.load(std::memory_order_relaxed);
    if (Fences) std::atomic_thread_fence(std::memory_order_acquire);
    return sequence_.load(std::memory_order_relaxed) == before;
  }

 private:
  std::atomic<int> sequence_{0}, first_{0}, second_{0};
};

template <bool Fences>
void use_sequence_lock() {
  SequenceLock<Fences> lock;
  std::thread writer{[&] { lock.write(1); }};
  int first = 0, second = 0;
  if (lock.read(first, second)) MUSTER_REQUIRE(first == second);
  writer.join();
}

struct Settings {
  std::atomic<int> size{0};
};

template <std::memory_order Load, std::memory_order Store>
void make_once() {
  Settings settings;
  std::atomic<Settings*> made{nullptr};
  std::thread maker{[&] {
    settings.size.store(8, std::memory_order_relaxed);
    made.store(&settings, Store);
  }};
  if (Settings* const found = made.load(Load)) MUSTER_REQUIRE(found->size.load(std::memory_order_relaxed) == 8);
  maker.join();
}

}  // namespace

MUSTER_SCENARIO(sequence_lock) { use_sequence_lock<true>(); }
MUSTER_SCENARIO(sequence_lock_without_fences) { use_sequence_lock<false>(); }
MUSTER_SCENARIO(made_once) { make_once<std::memory_order_acquire, std::memory_order_release>(); }
MUSTER_SCENARIO(made_once_relaxed) { make_once<std::memory_order_relaxed, std::memory_order_relaxed>(); }
