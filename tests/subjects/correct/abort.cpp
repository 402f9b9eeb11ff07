// A withdrawal takes money only by a compare-exchange on the balance it checked; a negative balance aborts.
#include <atomic>
#include <cstdlib>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Account {
 public:
  explicit Account(int balance) : balance_{balance} {}

  bool withdraw(int amount) {
    int balance = balance_.load();
    while (balance >= amount) {
      if (balance_.compare_exchange_strong(balance, balance - amount)) return true;
    }
    return false;
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
