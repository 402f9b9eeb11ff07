// Condition variables, and what is built on them.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stop_token>
#include <thread>

#include "two_threads.hpp"

using namespace std::chrono_literals;

// The waiters have been woken, but have not come back yet: from then on they need the mutex only.
MUSTER_SCENARIO(condition_destroyed_while_the_woken_return) {
  std::mutex mutex;
  auto changed = std::make_unique<std::condition_variable>();
  int waiting = 0;
  bool ready = false;
  const auto wait = [&] {
    std::unique_lock lock(mutex);
    ++waiting;
    if (!ready) changed->wait(lock);
    --waiting;
  };
  std::thread a(wait), b(wait);
  {
    const std::lock_guard lock(mutex);
    ready = true;
    changed->notify_all();
    if (waiting == 2) changed.reset();
  }
  a.join();
  b.join();
  MUSTER_REQUIRE(waiting == 0);
}

MUSTER_SCENARIO(any_condition_destroyed_while_the_woken_return) {
  std::mutex mutex;
  auto changed = std::make_unique<std::condition_variable_any>();
  bool waiting = false, ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    waiting = true;
    if (!ready) changed->wait(lock);
  });
  {
    const std::lock_guard lock(mutex);
    ready = true;
    changed->notify_all();
    if (waiting) changed.reset();
  }
  waiter.join();
}

MUSTER_SCENARIO(any_condition_with_shared_lock) {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  int value = 0;
  std::thread reader([&] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [&] { return value == 1; });
  });
  {
    const std::lock_guard lock(mutex);
    value = 1;
  }
  changed.notify_one();
  reader.join();
}

MUSTER_SCENARIO(wait_ended_by_a_stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  std::jthread worker([&](std::stop_token stop) {
    std::unique_lock lock(mutex);
    const bool came = changed.wait(lock, stop, [&] { return ready; });
    MUSTER_REQUIRE(came == ready && (came || stop.stop_requested()));
  });
  worker.request_stop();
  worker.join();
}

MUSTER_SCENARIO(wait_ended_by_a_stop_or_the_time) {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  std::jthread worker([&](std::stop_token stop) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, 10ms, [&] { return ready; });
  });
  const std::lock_guard lock(mutex);
  ready = true;
  changed.notify_all();
}

// Who is told that the time is over finds that it is.
MUSTER_SCENARIO(timeouts_keep_their_word) {
  std::mutex mutex;
  std::condition_variable changed;
  const auto wait = [&](auto clock) {
    const auto end = clock() + 3ms;
    std::unique_lock lock(mutex);
    if (changed.wait_until(lock, end) == std::cv_status::timeout) MUSTER_REQUIRE(clock() >= end);
  };
  in_two_threads([&] { wait(std::chrono::steady_clock::now); }, [&] { wait(std::chrono::system_clock::now); });
}

namespace {
thread_local std::unique_ptr<int> own;
}

// By then its thread-locals are gone.
MUSTER_SCENARIO(notified_at_thread_exit) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread worker([&] {
    own = std::make_unique<int>(1);
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(changed, std::move(lock));
    *own = 2;
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  }
  worker.join();
}

// Waits under a lock that is held twice give it up altogether.
MUSTER_SCENARIO(any_condition_with_two_locks) {
  struct Both {
    std::mutex& first;
    std::mutex& second;
    void lock() { std::lock(first, second); }
    void unlock() {
      first.unlock();
      second.unlock();
    }
  };
  std::mutex first, second;
  std::condition_variable_any changed;
  bool ready = false;
  std::thread waiter([&] {
    Both both{first, second};
    std::unique_lock lock(both);
    while (!ready) changed.wait(lock);
  });
  {
    const std::scoped_lock lock(second, first);
    ready = true;
  }
  changed.notify_one();
  waiter.join();
}

MUSTER_SCENARIO(queue_that_is_closed) {
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::unique_ptr<int>> items;
    bool closed = false;
    void push(std::unique_ptr<int> item) {
      {
        const std::lock_guard lock(mutex);
        items.push_back(std::move(item));
      }
      changed.notify_one();
    }
    void close() {
      {
        const std::lock_guard lock(mutex);
        closed = true;
      }
      changed.notify_all();
    }
    std::unique_ptr<int> pop() {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return closed || !items.empty(); });
      if (items.empty()) return nullptr;
      std::unique_ptr<int> item = std::move(items.front());
      items.pop_front();
      return item;
    }
  };
  Queue queue;
  std::thread taker([&] {
    int sum = 0;
    while (const std::unique_ptr<int> item = queue.pop()) sum += *item;
    MUSTER_REQUIRE(sum == 1);
  });
  queue.push(std::make_unique<int>(1));
  queue.close();
  taker.join();
}
