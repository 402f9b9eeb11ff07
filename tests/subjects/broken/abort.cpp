// A withdrawal checks one balance and subtracts from another: the check on the result aborts.
#include <atomic>
#include <cstdlib>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Account {
 public:
  explicit Account(int balance) : balance_{balance} {}

  bool withdraw(int amount) {
    if (balance_.load() < amount) return false;
    balance_.fetch_sub(amount);
    return true;
  }

  void audit() const {
    if (balance_.load() < 0) std::abort();
  }

 private:
  std::atomic<int> balance_;
};

}  // namespace

MUSTER_SCENARIO(abort) {
  Account account{10};
  std::thread a{[&] { account.withdraw(7); }};
  account.withdraw(7);
  a.join();
  account.audit();
}
