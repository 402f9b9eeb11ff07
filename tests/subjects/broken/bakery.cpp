// Nobody waits for a thread that is choosing its number: both threads hold number 1 and the later one gets in too.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Bakery {
 public:
  void lock(int me) {
    const int other = 1 - me;
    number_[me].store(number_[other].load() + 1);
    while (goes_first(other, me)) std::this_thread::yield();
  }

  void unlock(int me) { number_[me].store(0); }

 private:
  bool goes_first(int other, int me) const {
    const int theirs = number_[other].load();
    const int mine = number_[me].load();
    return theirs != 0 && (theirs < mine || (theirs == mine && other < me));
  }

  std::atomic<int> number_[2] = {};
};

}  // namespace

MUSTER_SCENARIO(bakery) {
  Bakery mutex;
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
