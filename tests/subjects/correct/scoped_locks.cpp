// Two accounts, and transfers in both directions: std::scoped_lock takes both mutexes, whatever their order.
#include <mutex>
#include <thread>

#include "muster/scenario.hpp"

namespace {

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::scoped_lock lock(from.mutex, to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

}  // namespace

MUSTER_SCENARIO(scoped_locks) {
  Account a, b;
  std::thread there{[&] {
    transfer(a, b, 10);
    transfer(a, b, 10);
  }};
  std::thread back{[&] { transfer(b, a, 30); }};
  there.join();
  back.join();
  MUSTER_REQUIRE(a.balance == 110 && b.balance == 90);
}

// Each of three can make the attempts of the others fail, again and again.
MUSTER_SCENARIO(scoped_locks_of_three) {
  Account a, b;
  std::thread there{[&] { transfer(a, b, 10); }};
  std::thread back{[&] { transfer(b, a, 30); }};
  std::thread again{[&] { transfer(a, b, 5); }};
  there.join();
  back.join();
  again.join();
  MUSTER_REQUIRE(a.balance == 115 && b.balance == 85);
}
