// Whoever finds nothing to wait for leaves, and the thread it started is destroyed while it may still run:
// std::terminate.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(forgotten_join) {
  std::atomic<bool> done{false};
  std::thread worker{[&] { done = true; }};
  if (!done) return;
  worker.join();
}
