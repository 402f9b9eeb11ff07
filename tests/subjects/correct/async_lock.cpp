// An asynchronous task needs a lock; whoever waits for its future does not hold it.
#include <future>
#include <muster/scenario.hpp>
#include <mutex>

MUSTER_SCENARIO(async_lock) {
  std::mutex mutex;
  int total = 1;
  auto task = std::async(std::launch::async, [&] {
    const std::lock_guard lock{mutex};
    return ++total;
  });
  const int before = task.get();
  const std::lock_guard lock{mutex};
  MUSTER_REQUIRE(before == total);
}
