// Looks at the other's wish before announcing its own: both threads get in.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Dekker {
 public:
  void lock(int me) {
    while (wants_[1 - me].load()) std::this_thread::yield();
    wants_[me].store(true);
  }

  void unlock(int me) { wants_[me].store(false); }

 private:
  std::atomic<bool> wants_[2] = {};
};

}  // namespace

MUSTER_SCENARIO(dekker) {
  Dekker mutex;
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
