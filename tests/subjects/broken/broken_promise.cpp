// A worker that was cancelled drops its promise: whoever waits for the future gets an exception.
#include <atomic>
#include <future>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(broken_promise) {
  std::promise<int> answer;
  std::future<int> future = answer.get_future();
  std::atomic<bool> cancelled{false};
  std::thread worker{[&cancelled, answer = std::move(answer)]() mutable {
    if (cancelled) return;
    answer.set_value(42);
  }};
  cancelled = true;
  worker.join();
  const int value = future.get();
  MUSTER_REQUIRE(value == 0 || value == 42);
}
