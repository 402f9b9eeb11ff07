// std::shared_mutex: a writer is alone; readers see whole writes.
#include <muster/scenario.hpp>
#include <mutex>
#include <shared_mutex>
#include <thread>

MUSTER_SCENARIO(std_shared_mutex) {
  std::shared_mutex mutex;
  int first = 0;
  int second = 0;
  const auto read = [&] {
    const std::shared_lock lock{mutex};
    MUSTER_REQUIRE(first == second);
  };
  std::thread a{read}, b{read};
  {
    const std::unique_lock lock{mutex};
    ++first;
    ++second;
  }
  a.join();
  b.join();
}

MUSTER_SCENARIO(std_shared_timed_mutex) {
  std::shared_timed_mutex mutex;
  int value = 0;
  std::thread a{[&] {
    const std::unique_lock lock{mutex, std::chrono::milliseconds{1}};
    if (lock) value = 1;
  }};
  int seen = 0;
  {
    const std::shared_lock lock{mutex, std::chrono::milliseconds{1}};
    if (lock) seen = value;
  }
  a.join();
  MUSTER_REQUIRE(seen == 0 || value == 1);
}
