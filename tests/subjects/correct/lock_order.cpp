// Transfers in both directions take the two locks in one order.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 10;
};

void transfer(Account& from, Account& to, int amount) {
  Account& first = &from < &to ? from : to;
  Account& second = &from < &to ? to : from;
  const std::lock_guard outer{first.mutex};
  const std::lock_guard inner{second.mutex};
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
