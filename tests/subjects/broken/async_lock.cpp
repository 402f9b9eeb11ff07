// The future is waited for with the lock held that its task needs.
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
  const std::lock_guard lock{mutex};
  const int before = task.get();
  MUSTER_REQUIRE(before == total);
}
