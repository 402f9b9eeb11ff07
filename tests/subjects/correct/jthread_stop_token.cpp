// A worker waits for work or for a request to stop; the wait knows the stop token.
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <stop_token>
#include <thread>

MUSTER_SCENARIO(jthread_stop_token) {
  std::mutex mutex;
  std::condition_variable_any changed;
  bool work = false;
  std::jthread worker{[&](std::stop_token stop) {
    std::unique_lock lock{mutex};
    changed.wait(lock, stop, [&] { return work; });
  }};
}
