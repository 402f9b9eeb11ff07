// Whoever finds nothing to wait for leaves; the thread it started is joined whichever way it goes.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(forgotten_join) {
  std::atomic<bool> done{false};
  std::jthread worker{[&] { done = true; }};
  if (!done) return;
  worker.join();
}
