// Each transfer locks its source first: two opposite transfers wait for each other.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 10;
};

void transfer(Account& from, Account& to, int amount) {
  const std::lock_guard outer{from.mutex};
  const std::lock_guard inner{to.mutex};
  from.balance -= amount;
  to.balance += amount;
}

}  // namespace

MUSTER_SCENARIO(lock_order) {
  Account accounts[2];
  std::thread a{[&] { transfer(accounts[0], accounts[1], 3); }};
  transfer(accounts[1], accounts[0], 4);
  a.join();
  MUSTER_REQUIRE(accounts[0].balance + accounts[1].balance == 20);
}
