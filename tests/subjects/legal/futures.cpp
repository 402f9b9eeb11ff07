// Results that come later.
#include <chrono>
#include <future>
#include <memory>
#include <muster/scenario.hpp>
#include <string>
#include <thread>
#include <vector>

#include "two_threads.hpp"

using namespace std::chrono_literals;

MUSTER_SCENARIO(future_polled) {
  std::promise<std::unique_ptr<int>> promise;
  auto future = promise.get_future();
  std::thread worker([promise = std::move(promise)]() mutable { promise.set_value(std::make_unique<int>(4)); });
  while (future.wait_for(0s) != std::future_status::ready) std::this_thread::yield();
  MUSTER_REQUIRE(*future.get() == 4 && !future.valid());
  worker.join();
}

MUSTER_SCENARIO(future_that_may_come_too_late) {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread worker([&] { promise.set_value(1); });
  if (future.wait_for(1ms) == std::future_status::timeout) worker.join();
  MUSTER_REQUIRE(future.get() == 1);
  if (worker.joinable()) worker.join();
}

// A reference, and nothing at all.
MUSTER_SCENARIO(futures_of_references_and_of_nothing) {
  int value = 0;
  std::promise<int&> reference;
  std::promise<void> nothing;
  auto future = reference.get_future();
  auto done = nothing.get_future();
  std::thread worker([&] {
    value = 1;
    reference.set_value(value);
    done.wait();
    MUSTER_REQUIRE(value == 2);
  });
  ++future.get();
  nothing.set_value();
  worker.join();
}

MUSTER_SCENARIO(shared_future_of_many_copies) {
  std::promise<std::string> promise;
  const std::shared_future<std::string> result = promise.get_future();
  const auto look = [result] { MUSTER_REQUIRE(result.get().size() == 30); };
  std::thread a(look), b(look);
  promise.set_value(std::string(30, 'r'));
  a.join();
  b.join();
}

MUSTER_SCENARIO(task_run_again) {
  int calls = 0;
  std::packaged_task<int()> task([&] { return ++calls; });
  auto first = task.get_future();
  std::thread once([&task] { task(); });
  MUSTER_REQUIRE(first.get() == 1);
  once.join();
  task.reset();
  auto second = task.get_future();
  std::thread again([task = std::move(task)]() mutable { task(); });
  MUSTER_REQUIRE(second.get() == 2);
  again.join();
}

// The destructor of such a future waits for its thread.
MUSTER_SCENARIO(future_of_async_forgotten) {
  int value = 0;
  {
    const auto future = std::async(std::launch::async, [&] { value = 1; });
  }
  MUSTER_REQUIRE(value == 1);
}

// Run by whoever asks first, once.
MUSTER_SCENARIO(deferred_run_by_one_of_two) {
  int calls = 0;
  const std::shared_future<int> result = std::async(std::launch::deferred, [&] { return ++calls; });
  MUSTER_REQUIRE(result.wait_for(0s) == std::future_status::deferred);
  const auto look = [result] { MUSTER_REQUIRE(result.get() == 1); };
  in_two_threads(look, look);
  MUSTER_REQUIRE(calls == 1);
}

MUSTER_SCENARIO(promise_given_up) {
  auto promise = std::make_unique<std::promise<int>>();
  auto future = promise->get_future();
  std::thread worker([promise = std::move(promise)]() mutable { promise.reset(); });
  try {
    future.get();
    MUSTER_REQUIRE(!"a result");
  } catch (const std::future_error& error) {
    MUSTER_REQUIRE(error.code() == std::future_errc::broken_promise);
  }
  worker.join();
}

// Ready only when the thread-locals of the thread are gone.
MUSTER_SCENARIO(result_at_thread_exit) {
  static int destroyed = 0;
  struct Local {
    ~Local() { ++destroyed; }
  };
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread worker([&] {
    static thread_local Local local;
    (void)&local;
    promise.set_value_at_thread_exit(3);
  });
  MUSTER_REQUIRE(future.get() == 3 && destroyed == 1);
  worker.join();
}
