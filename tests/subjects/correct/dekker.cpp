// Dekker's lock for two threads: who sees the other's wish and has not the turn takes its own wish back.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Dekker {
 public:
  void lock(int me) {
    wants_[me].store(true);
    while (wants_[1 - me].load()) {
      if (turn_.load() == me) {
        std::this_thread::yield();
        continue;
      }
      wants_[me].store(false);
      while (turn_.load() != me) std::this_thread::yield();
      wants_[me].store(true);
    }
  }

  void unlock(int me) {
    turn_.store(1 - me);
    wants_[me].store(false);
  }

 private:
  std::atomic<bool> wants_[2] = {};
  std::atomic<int> turn_{0};
};

}  // namespace

MUSTER_SCENARIO(dekker) {
  Dekker mutex;
  int balance = 0;
  std::atomic<int> inside{0};
  const auto critical = [&](int me) {
    mutex.lock(me);
    MUSTER_REQUIRE(inside.fetch_add(1) == 0);
    ++balance;
    inside.fetch_sub(1);
    mutex.unlock(me);
  };
  std::thread a{critical, 0}, b{critical, 1};
  a.join();
  b.join();
  MUSTER_REQUIRE(balance == 2);
}
