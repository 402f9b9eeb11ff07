// A message is published by a release store and read after an acquire load.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(relaxed_publication) {
  int message = 0;
  std::atomic<bool> ready{false};
  std::thread writer{[&] {
    message = 42;
    // (1) release: publishes the message to the acquire at (2).
    ready.store(true, std::memory_order_release);
  }};
  // (2) acquire: pairs with (1).
  if (ready.load(std::memory_order_acquire)) MUSTER_REQUIRE(message == 42);
  writer.join();
}
