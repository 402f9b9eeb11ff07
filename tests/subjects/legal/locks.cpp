// Locks in every use that is allowed.
#include <atomic>
#include <chrono>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

#include "two_threads.hpp"

using namespace std::chrono_literals;

MUSTER_SCENARIO(recursive_and_timed) {
  std::recursive_timed_mutex mutex;
  int depth = 0, most = 0;
  const auto dive = [&] {
    const std::unique_lock outer(mutex, 1ms);
    if (!outer) return;
    const std::lock_guard middle(mutex);
    const std::unique_lock inner(mutex, std::try_to_lock);
    ++depth;
    most = std::max(most, depth);
    --depth;
  };
  in_two_threads(dive, dive);
  MUSTER_REQUIRE(depth == 0 && most <= 1);
}

// One that comes too late gives up, and does not touch what the lock protects.
MUSTER_SCENARIO(timed_lock_gives_up) {
  std::timed_mutex mutex;
  int owners = 0;
  const auto use = [&](auto until) {
    std::unique_lock lock(mutex, std::defer_lock);
    if (!lock.try_lock_until(until)) return;
    MUSTER_REQUIRE(++owners == 1);
    --owners;
  };
  in_two_threads([&] { use(std::chrono::steady_clock::now() + 5ms); },
                 [&] { use(std::chrono::system_clock::now() - 1h); });
}

MUSTER_SCENARIO(adopted_deferred_and_swapped) {
  std::mutex first, second;
  int value = 0;
  const auto use = [&] {
    std::unique_lock a(first, std::defer_lock), b(second, std::defer_lock);
    std::lock(b, a);
    a.swap(b);
    const std::unique_lock<std::mutex> moved = std::move(a);
    ++value;
  };
  in_two_threads(use, [&] {
    first.lock();
    second.lock();
    const std::scoped_lock both(std::adopt_lock, second, first);
    ++value;
  });
  MUSTER_REQUIRE(value == 2);
}

// Each waits for the end of the other's turn, in whatever order the locks are named.
MUSTER_SCENARIO(try_lock_of_several) {
  std::mutex first, second;
  int turns = 0;
  const auto use = [&](std::mutex& a, std::mutex& b) {
    if (std::try_lock(a, b) != -1) return;
    const std::scoped_lock held(std::adopt_lock, a, b);
    ++turns;
  };
  in_two_threads([&] { use(first, second); }, [&] { use(second, first); });
  MUSTER_REQUIRE(turns <= 2);
}

// The last one to let go frees the lock, at once.
MUSTER_SCENARIO(freed_by_the_last_owner) {
  struct Shared {
    std::shared_mutex mutex;
    int users = 2;
  };
  auto* shared = new Shared;
  const auto leave = [shared] {
    shared->mutex.lock();
    const bool last = --shared->users == 0;
    shared->mutex.unlock();
    if (last) delete shared;
  };
  in_two_threads(leave, leave);
}

// What lies at one address is a lock of one kind after another.
MUSTER_SCENARIO(locks_of_all_kinds_in_one_place) {
  alignas(16) static std::byte room[128];
  const auto use = [&]<class Mutex>(std::type_identity<Mutex>) {
    auto* mutex = new (room) Mutex;
    int value = 0;
    const auto add = [&] {
      const std::lock_guard lock(*mutex);
      ++value;
    };
    in_two_threads(add, add);
    MUSTER_REQUIRE(value == 2);
    mutex->~Mutex();
  };
  use(std::type_identity<std::mutex>());
  use(std::type_identity<std::shared_mutex>());
  use(std::type_identity<std::recursive_mutex>());
}

// A lock that ends and begins anew, unlocked, in between.
MUSTER_SCENARIO(lock_made_again) {
  std::optional<std::mutex> mutex;
  int value = 0;
  const auto add = [&] {
    const std::lock_guard lock(*mutex);
    ++value;
  };
  for (int i = 0; i < 2; ++i) {
    mutex.emplace();
    add();
    in_a_thread(add);
  }
  mutex.reset();
  MUSTER_REQUIRE(value == 4);
}

// Two readers at once, a reader that becomes a writer by letting go first.
MUSTER_SCENARIO(readers_and_a_later_writer) {
  std::shared_timed_mutex mutex;
  int value = 0;
  const auto use = [&] {
    int seen = 0;
    {
      const std::shared_lock lock(mutex);
      seen = value;
    }
    const std::unique_lock lock(mutex, 1ms);
    if (lock) value = std::max(value, seen + 1);
  };
  in_two_threads(use, use);
  const std::shared_lock lock(mutex);
  MUSTER_REQUIRE(value <= 2);
}

// A read lock may be taken while it is held by the same thread, if no writer can come in between.
MUSTER_SCENARIO(shared_lock_handed_on) {
  std::shared_mutex mutex;
  int value = 3;
  in_two_threads(
      [&] {
        std::shared_lock first(mutex);
        std::shared_lock second = std::move(first);
        MUSTER_REQUIRE(!first.owns_lock() && value == 3);
      },
      [&] {
        const std::shared_lock lock(mutex, std::try_to_lock);
        MUSTER_REQUIRE(value == 3);
      });
}

// The pointer is published by the same lock twice: who sees it through the one sees what the other one wrote.
MUSTER_SCENARIO(double_checked_with_call_once) {
  std::once_flag once;
  std::atomic<int*> fast{nullptr};
  std::unique_ptr<int> slow;
  const auto get = [&] {
    if (int* found = fast.load(std::memory_order_acquire)) return *found;
    std::call_once(once, [&] {
      slow = std::make_unique<int>(9);
      fast.store(slow.get(), std::memory_order_release);
    });
    return *slow;
  };
  in_two_threads([&] { MUSTER_REQUIRE(get() == 9); }, [&] { MUSTER_REQUIRE(get() == 9); });
}

// A flag on the stack is another one in each turn, though it lies where the last one lay.
MUSTER_SCENARIO(once_in_each_turn) {
  int calls = 0;
  for (int i = 0; i < 2; ++i) {
    std::once_flag once;
    const auto call = [&] { std::call_once(once, [&] { ++calls; }); };
    in_two_threads(call, call);
  }
  MUSTER_REQUIRE(calls == 2);
}

MUSTER_SCENARIO(once_within_once) {
  std::once_flag outer, inner;
  int calls = 0;
  const auto call_inner = [&] { std::call_once(inner, [&] { ++calls; }); };
  in_two_threads([&] { std::call_once(outer, call_inner); }, call_inner);
  MUSTER_REQUIRE(calls == 1);
}

// A lock of one's own, with the interface of std's.
MUSTER_SCENARIO(own_lock_for_scoped_lock) {
  struct SpinLock {
    std::atomic_flag taken;
    void lock() {
      while (taken.test_and_set(std::memory_order_acquire)) {
        while (taken.test(std::memory_order_relaxed)) std::this_thread::yield();
      }
    }
    bool try_lock() { return !taken.test_and_set(std::memory_order_acquire); }
    void unlock() { taken.clear(std::memory_order_release); }
  };
  SpinLock spin;
  std::mutex mutex;
  int value = 0;
  const auto add = [&] {
    const std::scoped_lock both(spin, mutex);
    ++value;
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(value == 2);
}
