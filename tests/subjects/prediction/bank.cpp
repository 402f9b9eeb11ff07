// A bank: each account has a lock of its own. `transfer` looks at the balance and moves the money in two critical
// sections, so that what it saw may be out of date. With the argument `correct` the two are one.

#include <array>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 100;
};

std::array<Account, 3> accounts;

int balance_of(Account& account) {
  const std::lock_guard lock(account.mutex);
  return account.balance;
}

void set_balance(Account& account, int balance) {
  const std::lock_guard lock(account.mutex);
  account.balance = balance;
}

void transfer(Account& from, Account& to, int amount) {
  const muster::Transaction atomic;
  const int available = balance_of(from);
  if (available < amount) return;
  set_balance(from, available - amount);
  const std::lock_guard lock(to.mutex);
  to.balance += amount;
}

void transfer_atomically(Account& from, Account& to, int amount) {
  const muster::Transaction atomic;
  const std::scoped_lock both(from.mutex, to.mutex);
  if (from.balance < amount) return;
  from.balance -= amount;
  to.balance += amount;
}

}  // namespace

int main(int argc, char** argv) {
  static volatile int* volatile nowhere = nullptr;
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::vector<std::thread> clerks;
  for (std::size_t i = 0; i < 3; ++i) {
    clerks.emplace_back([=] { (correct ? transfer_atomically : transfer)(accounts[i], accounts[(i + 1) % 3], 10); });
  }
  for (std::thread& clerk : clerks) clerk.join();
  if (argc > 1 && std::strcmp(argv[1], "crash") == 0) *nowhere = 0;
}
