// Waits by polling, and keeps what it saw last, or counts its looks: neither changes what it waits for.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Gate {
  std::atomic<bool> open{false};
  int seen = 0;  // of the waiting thread
  void wait() {
    while (seen == 0) seen = open.load() ? 1 : 0;
  }
  void wait_counting() {
    for (int looks = 0; !open.load(); ++looks) {
      if (looks > 6) std::this_thread::yield();
    }
  }
};

}  // namespace

MUSTER_SCENARIO(private_polling) {
  Gate gate;
  std::thread waits([&] { gate.wait(); }), opens([&] { gate.open = true; });
  waits.join();
  opens.join();
}

MUSTER_SCENARIO(counted_polling) {
  Gate gate;
  std::thread waits([&] { gate.wait_counting(); }), opens([&] { gate.open = true; });
  waits.join();
  opens.join();
}
