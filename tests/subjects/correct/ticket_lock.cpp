// A ticket lock: tickets are drawn by one read-modify-write.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class TicketLock {
 public:
  void lock() {
    const unsigned ticket = next_.fetch_add(1);
    while (serving_.load() != ticket) std::this_thread::yield();
  }

  void unlock() { serving_.store(serving_.load() + 1); }

 private:
  std::atomic<unsigned> next_{0};
  std::atomic<unsigned> serving_{0};
};

}  // namespace

MUSTER_SCENARIO(ticket_lock) {
  TicketLock mutex;
  std::atomic<int> inside{0};
  const auto critical = [&] {
    mutex.lock();
    MUSTER_REQUIRE(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    mutex.unlock();
  };
  std::thread a{critical}, b{critical};
  a.join();
  b.join();
}
