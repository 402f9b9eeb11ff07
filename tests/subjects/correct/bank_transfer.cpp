// A transfer checks and moves money in one critical section.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Bank {
 public:
  bool transfer(int amount) {
    const std::lock_guard lock{mutex_};
    if (ours_ < amount) return false;
    ours_ -= amount;
    theirs_ += amount;
    return true;
  }

  int ours() {
    const std::lock_guard lock{mutex_};
    return ours_;
  }

 private:
  std::mutex mutex_;
  int ours_ = 10;
  int theirs_ = 0;
};

}  // namespace

MUSTER_SCENARIO(bank_transfer) {
  Bank bank;
  std::thread a{[&] { bank.transfer(6); }};
  bank.transfer(6);
  a.join();
  MUSTER_REQUIRE(bank.ours() == 4);
}
