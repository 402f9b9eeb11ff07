// The reader waits for an even sequence number but does not look at it again after reading: it keeps torn data.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>
#include <utility>

namespace {

/// The data are relaxed atomics: readers and the writer do overlap, and the sequence number throws such reads away.
class SeqlockPair {
 public:
  void write(int value) {
    const unsigned sequence = sequence_.load(std::memory_order_relaxed);
    sequence_.store(sequence + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    first_.store(value, std::memory_order_relaxed);
    second_.store(value, std::memory_order_relaxed);
    sequence_.store(sequence + 2, std::memory_order_release);
  }

  std::pair<int, int> read() const {
    for (;;) {
      const unsigned before = sequence_.load(std::memory_order_acquire);
      const std::pair data{first_.load(std::memory_order_relaxed), second_.load(std::memory_order_relaxed)};
      std::atomic_thread_fence(std::memory_order_acquire);
      if (before % 2 == 0) return data;
      std::this_thread::yield();
    }
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> first_{0};
  std::atomic<int> second_{0};
};

}  // namespace

MUSTER_SCENARIO(seqlock) {
  SeqlockPair pair;
  std::thread writer{[&] { pair.write(1); }};
  const auto [first, second] = pair.read();
  MUSTER_REQUIRE(first == second);
  writer.join();
}
