// The latch counts down by a load and a store: one arrival is lost and the waiter sleeps for ever.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Latch {
 public:
  explicit Latch(int count) : count_{count} {}

  void count_down() {
    const int left = count_.load() - 1;
    count_.store(left);
    if (left == 0) count_.notify_all();
  }

  void wait() const {
    for (int count = count_.load(); count != 0; count = count_.load()) count_.wait(count);
  }

 private:
  std::atomic<int> count_;
};

}  // namespace

MUSTER_SCENARIO(latch_count) {
  Latch latch{2};
  std::thread a{[&] { latch.count_down(); }};
  std::thread b{[&] { latch.count_down(); }};
  latch.wait();
  a.join();
  b.join();
}
