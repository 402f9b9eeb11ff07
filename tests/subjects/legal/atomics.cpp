// Atomic objects, memory orders and fences that order what they should.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <thread>
#include <vector>

#include "two_threads.hpp"

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

MUSTER_SCENARIO(relaxed_counter_read_after_the_joins) {
  std::atomic<int> counter{0};
  std::vector<int> slots(2);
  const auto add = [&] { slots[static_cast<std::size_t>(counter.fetch_add(1, memory_order_relaxed))] = 1; };
  in_two_threads(add, add);
  MUSTER_REQUIRE(counter.load(memory_order_relaxed) == 2 && slots[0] + slots[1] == 2);
}

MUSTER_SCENARIO(fences_around_relaxed_accesses) {
  int data = 0;
  std::atomic<bool> ready{false};
  in_two_threads(
      [&] {
        data = 1;
        std::atomic_thread_fence(memory_order_release);
        ready.store(true, memory_order_relaxed);
      },
      [&] {
        if (!ready.load(memory_order_relaxed)) return;
        std::atomic_thread_fence(memory_order_acquire);
        MUSTER_REQUIRE(data == 1);
      });
}

// A relaxed exchange of another thread carries the release on.
MUSTER_SCENARIO(release_sequence) {
  int data = 0;
  std::atomic<int> state{0};
  std::thread writer([&] {
    data = 1;
    state.store(1, memory_order_release);
  });
  std::thread between([&] {
    int expected = 1;
    state.compare_exchange_strong(expected, 2, memory_order_relaxed);
  });
  if (state.load(memory_order_acquire) == 2) MUSTER_REQUIRE(data == 1);
  writer.join();
  between.join();
}

// Each of the last two sees what all before it did, since every step of the count is in a release sequence of them.
MUSTER_SCENARIO(last_one_out_sums_up) {
  std::array<int, 2> parts{};
  std::atomic<int> left{2};
  int sum = 0;
  const auto work = [&](std::size_t part) {
    parts[part] = 1;
    if (left.fetch_sub(1, memory_order_acq_rel) == 1) sum = parts[0] + parts[1];
  };
  in_two_threads([&] { work(0); }, [&] { work(1); });
  MUSTER_REQUIRE(sum == 2);
}

// As in a reference count: a release each, an acquire fence for the last one only.
MUSTER_SCENARIO(last_one_out_fences) {
  struct Node {
    int value = 0, other = 0;
  };
  auto* node = new Node;
  std::atomic<int> count{2};
  const auto drop = [&](int Node::*member) {
    node->*member = 1;
    if (count.fetch_sub(1, memory_order_release) != 1) return;
    std::atomic_thread_fence(memory_order_acquire);
    delete node;
  };
  in_two_threads([&] { drop(&Node::value); }, [&] { drop(&Node::other); });
}

// At most one of two that each raise a flag and look at the other's goes in.
MUSTER_SCENARIO(store_buffering_with_fences) {
  std::atomic<int> first{0}, second{0};
  int inside = 0;
  const auto enter = [&](std::atomic<int>& mine, std::atomic<int>& other) {
    mine.store(1, memory_order_relaxed);
    std::atomic_thread_fence(memory_order_seq_cst);
    if (other.load(memory_order_relaxed) == 0) ++inside;
  };
  in_two_threads([&] { enter(first, second); }, [&] { enter(second, first); });
  MUSTER_REQUIRE(inside <= 1);
}

MUSTER_SCENARIO(reference_to_a_plain_object) {
  alignas(std::atomic_ref<long>::required_alignment) long plain = 0;
  plain = 1;
  const auto add = [&] {
    const std::atomic_ref<long> shared(plain);
    shared.fetch_add(1, memory_order_relaxed);
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(plain == 3);
}

MUSTER_SCENARIO(reference_that_publishes) {
  std::vector<int> data(3), flags(1);
  in_two_threads(
      [&] {
        data[2] = 7;
        std::atomic_ref(flags[0]).store(1, memory_order_release);
        std::atomic_ref(flags[0]).notify_one();
      },
      [&] {
        std::atomic_ref(flags[0]).wait(0, memory_order_acquire);
        MUSTER_REQUIRE(data[2] == 7);
      });
}

MUSTER_SCENARIO(flag_waited_for) {
  std::atomic_flag ready;
  int data = 0;
  std::thread waiter([&] {
    ready.wait(false, memory_order_acquire);
    MUSTER_REQUIRE(data == 1 && ready.test(memory_order_relaxed));
  });
  data = 1;
  ready.test_and_set(memory_order_release);
  ready.notify_all();
  waiter.join();
}

// Small atomics are waited for through a table of the library that many share.
MUSTER_SCENARIO(neighbours_waited_for) {
  std::atomic<char> states[2]{};
  int data[2]{};
  const auto wait = [&](int i) {
    states[i].wait(0);
    MUSTER_REQUIRE(data[i] == i + 1);
  };
  std::thread a(wait, 0), b(wait, 1);
  for (int i = 0; i < 2; ++i) {
    data[i] = i + 1;
    states[i] = 1;
    states[i].notify_one();
  }
  a.join();
  b.join();
}

MUSTER_SCENARIO(values_of_all_sizes) {
  struct Pair {
    int first = 0, second = 0;
    bool operator==(const Pair&) const = default;
  };
  std::atomic<Pair> pair;
  std::atomic<double> real{0.5};
  std::atomic<short> number{1};
  const auto change = [&] {
    Pair seen = pair.load();
    while (!pair.compare_exchange_weak(seen, {seen.first + 1, seen.second - 1})) {
    }
    real.fetch_add(0.25);
    number ^= 3;
  };
  in_two_threads(change, change);
  MUSTER_REQUIRE((pair.load() == Pair{2, -2}) && real == 1.0 && number == 1);
}

MUSTER_SCENARIO(pointer_into_an_array) {
  std::array<int, 2> items{};
  std::atomic<int*> next{items.data()};
  const auto take = [&] { *next++ = 1; };
  in_two_threads(take, take);
  MUSTER_REQUIRE(items[0] + items[1] == 2 && next == items.data() + 2);
}

MUSTER_SCENARIO(largest_value_kept) {
  std::atomic<unsigned> largest{0};
  const auto offer = [&](unsigned value) {
    unsigned seen = largest.load(memory_order_relaxed);
    while (seen < value && !largest.compare_exchange_weak(seen, value, memory_order_release, memory_order_relaxed)) {
    }
  };
  in_two_threads([&] { offer(3); }, [&] { offer(5); });
  MUSTER_REQUIRE(largest == 5);
}

// The old interface: plain objects, and functions of the compiler that access them atomically.
MUSTER_SCENARIO(builtins_on_plain_objects) {
  int count = 0, data = 0;
  bool ready = false;
  in_two_threads(
      [&] {
        __sync_fetch_and_add(&count, 2);
        data = 1;
        __atomic_store_n(&ready, true, __ATOMIC_RELEASE);
      },
      [&] {
        __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
        if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) MUSTER_REQUIRE(data == 1);
      });
  MUSTER_REQUIRE(count == 3);
}

// An initialisation is no atomic access: what orders it is the start of the threads.
MUSTER_SCENARIO(initialised_before_the_threads_start) {
  auto value = std::make_unique<std::atomic<int>>();
  std::atomic_init(value.get(), 4);
  std::atomic<int> other;  // of C++20: zero
  in_two_threads([&] { other += value->exchange(1); }, [&] { other -= value->exchange(1); });
  MUSTER_REQUIRE(other == 3 || other == -3);
}
