// Waits by polling, where something changes from turn to turn that decides nothing.
#include <atomic>
#include <muster/check.hpp>
#include <thread>

namespace {

class Gate {
 public:
  /// Counts its looks, to yield after some.
  void wait_counting() {
    for (int looks = 0; !open_.load(); ++looks) {
      if (looks > 6) std::this_thread::yield();
    }
  }
  /// Keeps what it saw last.
  void wait_keeping() {
    while (seen_ == 0) seen_ = open_.load() ? 1 : 0;
  }
  void open() { open_.store(true); }

 private:
  std::atomic<bool> open_{false};
  int seen_ = 0;  // of one thread only
};

}  // namespace

MUSTER_CHECK(counting_gate) {
  auto gate = check.object<Gate>();
  gate.operation("wait", &Gate::wait_counting);
  gate.operation("open", &Gate::open);
}
MUSTER_CHECK(keeping_gate) {
  auto waiter = check.role("waiter", 1);
  auto gate = check.object<Gate>();
  gate.operation("wait", &Gate::wait_keeping).by(waiter);
  gate.operation("open", &Gate::open);
}
