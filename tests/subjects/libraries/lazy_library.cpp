// A library that sets itself up at its first use, which is not in the first execution: others find it done.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "lazy/lazy.hpp"
#include "muster/scenario.hpp"

namespace {

class Door {
 public:
  void open() {
    const std::scoped_lock lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  /// Whether it had to wait.
  bool pass() {
    std::unique_lock lock(mutex_);
    if (is_open_) return false;
    while (!is_open_) {
      use_lazily();
      opened_.wait(lock);
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

bool two_pass() {
  Door door;
  bool waited[2] = {};
  std::thread opener{[&] { door.open(); }};
  std::thread first{[&] { waited[0] = door.pass(); }}, second{[&] { waited[1] = door.pass(); }};
  opener.join();
  first.join();
  second.join();
  return waited[0] && waited[1];
}

}  // namespace

MUSTER_SCENARIO(lazy_library) { two_pass(); }

MUSTER_SCENARIO(lazy_library_both_wait) { MUSTER_REQUIRE(!two_pass()); }
