// A `shared_ptr` that one thread replaces and another copies, both under a mutex.
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

MUSTER_SCENARIO(shared_ptr_race) {
  std::mutex mutex;
  auto current = std::make_shared<const int>(1);
  std::thread writer{[&] {
    auto next = std::make_shared<const int>(2);
    const std::lock_guard lock{mutex};
    current.swap(next);
  }};
  std::shared_ptr<const int> seen;
  {
    const std::lock_guard lock{mutex};
    seen = current;
  }
  MUSTER_REQUIRE(*seen == 1 || *seen == 2);
  writer.join();
}
