// The flag is stored relaxed: the reader may see the flag and not the message.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(relaxed_publication) {
  int message = 0;
  std::atomic<bool> ready{false};
  std::thread writer{[&] {
    message = 42;
    ready.store(true, std::memory_order_relaxed);
  }};
  if (ready.load(std::memory_order_acquire)) MUSTER_REQUIRE(message == 42);
  writer.join();
}
