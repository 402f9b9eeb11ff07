// A worker that was cancelled still answers the promise it was given.
#include <atomic>
#include <future>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(broken_promise) {
  std::promise<int> answer;
  std::future<int> future = answer.get_future();
  std::atomic<bool> cancelled{false};
  std::thread worker{[&cancelled, answer = std::move(answer)]() mutable { answer.set_value(cancelled ? 0 : 42); }};
  cancelled = true;
  const int value = future.get();
  worker.join();
  MUSTER_REQUIRE(value == 0 || value == 42);
}
