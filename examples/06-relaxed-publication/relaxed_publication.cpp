// A message published by a relaxed store. Every value Muster tries is sequentially consistent, and still the declared
// orders do not order the two accesses of `message`: a race, found although the requirement never fails.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

void publish(std::memory_order order) {
  int message = 0;
  std::atomic<bool> ready{false};
  std::thread writer{[&] {
    message = 42;
    ready.store(true, order);
  }};
  if (ready.load(std::memory_order_acquire)) MUSTER_REQUIRE(message == 42);
  writer.join();
}

}  // namespace

MUSTER_SCENARIO(relaxed_publication) { publish(std::memory_order_relaxed); }

MUSTER_SCENARIO(relaxed_publication_fixed) { publish(std::memory_order_release); }
