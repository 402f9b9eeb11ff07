// Peterson's lock for two threads: announce first, then give way.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Peterson {
 public:
  void lock(int me) {
    wants_[me].store(true);
    turn_.store(1 - me);
    while (wants_[1 - me].load() && turn_.load() == 1 - me) std::this_thread::yield();
  }

  void unlock(int me) { wants_[me].store(false); }

 private:
  std::atomic<bool> wants_[2] = {};
  std::atomic<int> turn_{0};
};

}  // namespace

MUSTER_SCENARIO(peterson) {
  Peterson mutex;
  std::atomic<int> inside{0};
  const auto critical = [&](int me) {
    mutex.lock(me);
    MUSTER_REQUIRE(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    mutex.unlock(me);
  };
  std::thread a{critical, 0}, b{critical, 1};
  a.join();
  b.join();
}
