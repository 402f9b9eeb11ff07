// A hand-made once that forgets to go back when its function throws: the other caller waits for ever.
#include <atomic>
#include <muster/scenario.hpp>
#include <stdexcept>
#include <thread>

namespace {

class Once {
 public:
  template <class Function>
  void call(Function function) {
    int state = kNew;
    if (state_.compare_exchange_strong(state, kRunning)) {
      function();
      state_.store(kDone);
      state_.notify_all();
    }
    state_.wait(kRunning);
  }

 private:
  enum State : int { kNew, kRunning, kDone };
  std::atomic<int> state_{kNew};
};

}  // namespace

MUSTER_SCENARIO(call_once_exception) {
  Once once;
  int attempts = 0;
  const auto initialise = [&] {
    if (++attempts == 1) throw std::runtime_error("the first attempt fails");
  };
  const auto use = [&] {
    try {
      once.call(initialise);
    } catch (const std::runtime_error&) {
    }
  };
  std::thread a{use};
  use();
  a.join();
  MUSTER_REQUIRE(attempts == 2);
}
