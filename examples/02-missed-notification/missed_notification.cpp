// A mailbox whose receiver looks, then sleeps. Filled without the mutex, it can be filled, and the notification given,
// in between.
#include <atomic>
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Mailbox {
 public:
  void put(int letter) {
    letter_ = letter;
    full_ = true;
    arrived_.notify_one();
  }

  void put_fixed(int letter) {
    {
      const std::lock_guard lock{mutex_};
      letter_ = letter;
      full_ = true;
    }
    arrived_.notify_one();
  }

  int take() {
    std::unique_lock lock{mutex_};
    while (!full_) arrived_.wait(lock);
    return letter_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::atomic<bool> full_{false};
  int letter_ = 0;
};

}  // namespace

MUSTER_SCENARIO(missed_notification) {
  Mailbox mailbox;
  std::thread sender{[&] { mailbox.put(7); }};
  MUSTER_REQUIRE(mailbox.take() == 7);
  sender.join();
}

MUSTER_SCENARIO(missed_notification_fixed) {
  Mailbox mailbox;
  std::thread sender{[&] { mailbox.put_fixed(7); }};
  MUSTER_REQUIRE(mailbox.take() == 7);
  sender.join();
}
