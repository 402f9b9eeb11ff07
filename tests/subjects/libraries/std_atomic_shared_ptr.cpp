// std::atomic<std::shared_ptr>. In libstdc++ 12 a load gives its internal lock back by a relaxed store, so nothing
// orders its read of the pointer before the write of a later store.
#include <atomic>
#include <memory>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(std_atomic_shared_ptr) {
  std::atomic<std::shared_ptr<const int>> current{std::make_shared<const int>(1)};
  std::thread writer{[&] { current.store(std::make_shared<const int>(2)); }};
  const std::shared_ptr<const int> seen = current.load();
  MUSTER_REQUIRE(*seen == 1 || *seen == 2);
  writer.join();
}
