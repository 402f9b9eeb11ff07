// A container calls its observer with the lock held; the observer may call back, the mutex is recursive.
#include <functional>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Observed {
 public:
  explicit Observed(std::function<void(Observed&)> observer) : observer_{std::move(observer)} {}

  void add() {
    const std::lock_guard lock{mutex_};
    ++size_;
    observer_(*this);
  }

  int size() {
    const std::lock_guard lock{mutex_};
    return size_;
  }

 private:
  std::recursive_mutex mutex_;
  std::function<void(Observed&)> observer_;
  int size_ = 0;
};

}  // namespace

MUSTER_SCENARIO(recursive_mutex) {
  Observed list{[](Observed& changed) { MUSTER_REQUIRE(changed.size() >= 1); }};
  std::thread a{[&] { list.add(); }};
  list.add();
  a.join();
  MUSTER_REQUIRE(list.size() == 2);
}
