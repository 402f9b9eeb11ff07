// Two or three threads, a few accesses, and an outcome that only older values have; each beside orders that forbid it.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

template <class Between>
void store_buffering(std::memory_order store, std::memory_order load, Between between) {
  std::atomic<int> x{0}, y{0};
  int a = 0, b = 0;
  std::thread first{[&] {
    x.store(1, store);
    between();
    a = y.load(load);
  }};
  std::thread second{[&] {
    y.store(1, store);
    between();
    b = x.load(load);
  }};
  first.join();
  second.join();
  MUSTER_REQUIRE(a + b > 0);
}

constexpr auto nothing = [] {};
constexpr auto strong_fence = [] { std::atomic_thread_fence(memory_order_seq_cst); };

void message_passing(std::memory_order store, std::memory_order load) {
  std::atomic<int> data{0};
  std::atomic<bool> ready{false};
  std::thread sender{[&] {
    data.store(1, memory_order_relaxed);
    ready.store(true, store);
  }};
  std::thread receiver{[&] {
    if (ready.load(load)) MUSTER_REQUIRE(data.load(memory_order_relaxed) == 1);
  }};
  sender.join();
  receiver.join();
}

void two_readers(std::memory_order store, std::memory_order load) {
  std::atomic<int> x{0}, y{0};
  bool x_first = false, y_first = false;
  std::thread a{[&] { x.store(1, store); }}, b{[&] { y.store(1, store); }};
  std::thread c{[&] { x_first = x.load(load) == 1 && y.load(load) == 0; }};
  std::thread d{[&] { y_first = y.load(load) == 1 && x.load(load) == 0; }};
  a.join();
  b.join();
  c.join();
  d.join();
  MUSTER_REQUIRE(!(x_first && y_first));
}

void two_writers(std::memory_order store) {
  std::atomic<int> x{0}, y{0};
  std::thread a{[&] {
    x.store(1, store);
    y.store(2, store);
  }};
  std::thread b{[&] {
    y.store(1, store);
    x.store(2, store);
  }};
  a.join();
  b.join();
  MUSTER_REQUIRE(!(x.load() == 1 && y.load() == 1));
}

/// A value of 16 bytes is old or new as a whole.
struct alignas(16) Pair {
  long first, second;
};

}  // namespace

MUSTER_SCENARIO(store_buffering_relaxed) { store_buffering(memory_order_relaxed, memory_order_relaxed, nothing); }
MUSTER_SCENARIO(store_buffering_acquire) { store_buffering(memory_order_release, memory_order_acquire, nothing); }
MUSTER_SCENARIO(store_buffering_seq_cst) { store_buffering(memory_order_seq_cst, memory_order_seq_cst, nothing); }
MUSTER_SCENARIO(store_buffering_fences) { store_buffering(memory_order_relaxed, memory_order_relaxed, strong_fence); }

MUSTER_SCENARIO(message_passing_relaxed) { message_passing(memory_order_relaxed, memory_order_relaxed); }
MUSTER_SCENARIO(message_passing_release) { message_passing(memory_order_release, memory_order_acquire); }

MUSTER_SCENARIO(two_readers_acquire) { two_readers(memory_order_release, memory_order_acquire); }
MUSTER_SCENARIO(two_readers_seq_cst) { two_readers(memory_order_seq_cst, memory_order_seq_cst); }

MUSTER_SCENARIO(two_writers_release) { two_writers(memory_order_release); }
MUSTER_SCENARIO(two_writers_seq_cst) { two_writers(memory_order_seq_cst); }

MUSTER_SCENARIO(pair_is_whole) {
  std::atomic<Pair> pair{{0, 0}};
  std::atomic<bool> ready{false};
  std::thread writer{[&] {
    pair.store({1, 1}, memory_order_relaxed);
    ready.store(true, memory_order_relaxed);
  }};
  bool was_ready = false;
  Pair seen{};
  std::thread reader{[&] {
    was_ready = ready.load(memory_order_relaxed);
    seen = pair.load(memory_order_relaxed);
  }};
  writer.join();
  reader.join();
  MUSTER_REQUIRE(seen.first == seen.second);
}

/// Who waits for a flag sees it at last, however old the values are that it reads first.
MUSTER_SCENARIO(waits_for_relaxed_flags) {
  std::atomic<int> x{0}, y{0};
  std::thread writer{[&] {
    x.store(1, memory_order_relaxed);
    y.store(1, memory_order_relaxed);
  }};
  while (y.load(memory_order_relaxed) == 0) std::this_thread::yield();
  while (x.load(memory_order_relaxed) == 0) std::this_thread::yield();
  writer.join();
}
