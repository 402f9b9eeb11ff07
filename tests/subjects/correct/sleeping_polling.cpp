// Polls and sleeps in between, for what another thread does.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <muster/scenario.hpp>
#include <thread>

using namespace std::chrono_literals;

MUSTER_SCENARIO(sleeping_polling) {
  std::atomic<bool> open{false};
  std::thread waits([&] {
    for (auto pause = 1ms; !open.load(); pause = std::min(2 * pause, 8ms)) std::this_thread::sleep_for(pause);
  });
  std::thread opens([&] { open = true; });
  waits.join();
  opens.join();
}
