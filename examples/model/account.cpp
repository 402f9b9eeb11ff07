// A bank account as a model: `muster check --model build/libaccount.so good.txt`.

#include <cstdint>
#include <muster/model.hpp>

struct Account {
  std::int64_t balance = 0;

  bool operator==(const Account&) const = default;
  std::uint64_t hash() const { return static_cast<std::uint64_t>(balance); }

  void deposit(std::int64_t amount) { balance += amount; }
  bool withdraw(std::int64_t amount) {
    if (balance < amount) return false;
    balance -= amount;
    return true;
  }
  std::int64_t read() const { return balance; }
};

MUSTER_MODEL(Account, "account") {
  model.operation("deposit", &Account::deposit);
  model.operation("withdraw", &Account::withdraw);
  model.operation("read", &Account::read);
}
