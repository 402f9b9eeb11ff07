// The first who needs it makes the value; whoever comes later must find it made, not under way.

#include <atomic>
#include <mutex>
#include <thread>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(eager_reader) {
  std::mutex mutex;
  std::atomic<bool> is_made{false};
  std::atomic<int> value{0};
  const auto get = [&] {
    const std::lock_guard lock(mutex);
    if (!is_made) {
      is_made = true;
      value = 42;
    }
    return value.load();
  };
  const auto look = [&] {
    const std::unique_lock lock(mutex, std::defer_lock);
    if (is_made) MUSTER_REQUIRE(value == 42);
  };
  std::thread a{[&] { MUSTER_REQUIRE(get() == 42); }}, b{[&] { MUSTER_REQUIRE(get() == 42); }}, c{look};
  a.join();
  b.join();
  c.join();
}
