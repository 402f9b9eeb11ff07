// Two accounts, two transfers in opposite directions, each locking its own side first.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  const std::lock_guard first{from.mutex};
  const std::lock_guard second{to.mutex};
  from.balance -= amount;
  to.balance += amount;
}

void transfer_fixed(Account& from, Account& to, int amount) {
  const std::scoped_lock both{from.mutex, to.mutex};
  from.balance -= amount;
  to.balance += amount;
}

void in_opposite_directions(void (*transfer)(Account&, Account&, int)) {
  Account alice, bob;
  std::thread a{[&] { transfer(alice, bob, 30); }};
  std::thread b{[&] { transfer(bob, alice, 10); }};
  a.join();
  b.join();
  MUSTER_REQUIRE(alice.balance == 80 && bob.balance == 120);
}

}  // namespace

MUSTER_SCENARIO(lock_order) { in_opposite_directions(transfer); }

MUSTER_SCENARIO(lock_order_fixed) { in_opposite_directions(transfer_fixed); }
