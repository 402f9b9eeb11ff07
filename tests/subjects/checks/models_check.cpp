// Classes judged by a sequential model instead of what they do serially.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <muster/check.hpp>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

namespace {

struct QueueModel {
  std::deque<int> items;
  bool operator==(const QueueModel&) const = default;

  void push(int value) { items.push_back(value); }
  std::optional<int> try_pop() {
    if (items.empty()) return std::nullopt;
    const int front = items.front();
    items.pop_front();
    return front;
  }
  int pop() {
    if (items.empty()) throw muster::Blocks();
    return *try_pop();
  }
};

class BlockingQueue {
 public:
  void push(int value) {
    const std::lock_guard lock{mutex_};
    items_.push_back(value);
    filled_.notify_one();
  }
  std::optional<int> try_pop() {
    const std::lock_guard lock{mutex_};
    return items_.empty() ? std::nullopt : std::optional(take());
  }
  int pop() {
    std::unique_lock lock{mutex_};
    filled_.wait(lock, [this] { return !items_.empty(); });
    return take();
  }

 protected:
  int take() {
    const int front = items_.front();
    items_.pop_front();
    return front;
  }
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<int> items_;
};

/// Notifies only when the queue was empty: a second waiter sleeps on although there is something for it.
class SparingQueue : public BlockingQueue {
 public:
  void push(int value) {
    const std::lock_guard lock{mutex_};
    items_.push_back(value);
    if (items_.size() == 1) filled_.notify_one();
  }
};

/// For runs on real threads: the first push gives the others the time to wait, however busy the machine is.
class LateSparingQueue : public SparingQueue {
 public:
  void push(int value) {
    std::call_once(rested_, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    SparingQueue::push(value);
  }

 private:
  std::once_flag rested_;
};

/// Deterministic and atomic, so that only a model can object: it gives the last value first.
class Stack : public BlockingQueue {
 public:
  std::optional<int> try_pop() {
    const std::lock_guard lock{mutex_};
    if (items_.empty()) return std::nullopt;
    const int back = items_.back();
    items_.pop_back();
    return back;
  }
};

template <class Queue>
void check_queue(muster::Check& check) {
  auto queue = check.object<Queue>().template model<QueueModel>();
  queue.operation("push", [](auto& q, int value) { q.push(value); }).with(1).with(2);
  queue.operation("try_pop", [](auto& q) { return q.try_pop(); });
  queue.operation("pop", [](auto& q) { return q.pop(); });
}

MUSTER_CHECK(modelled_queue) { check_queue<BlockingQueue>(check); }
MUSTER_CHECK(modelled_sparing_queue) { check_queue<SparingQueue>(check); }
MUSTER_CHECK(modelled_late_sparing_queue) { check_queue<LateSparingQueue>(check); }
MUSTER_CHECK(modelled_stack) { check_queue<Stack>(check); }

/// A model with a hash, arguments and exceptions, and functions of its own.
struct AccountModel {
  int balance;
  bool operator==(const AccountModel&) const = default;
  std::uint64_t hash() const { return static_cast<std::uint64_t>(balance); }
};

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  void withdraw(int amount) {
    const std::lock_guard lock{mutex_};
    if (balance_ < amount) throw std::domain_error("too little");
    balance_ -= amount;
  }
  int balance() const {
    const std::lock_guard lock{mutex_};
    return balance_;
  }
  std::mutex& mutex() { return mutex_; }
  void add(int amount) { balance_ += amount; }
  int unlocked_balance() const { return balance_; }

 private:
  mutable std::mutex mutex_;
  int balance_;
};

MUSTER_CHECK(modelled_account) {
  auto account = check.object<Account>(3).model<AccountModel>(3);
  account
      .operation("withdraw", &Account::withdraw,
                 [](AccountModel& model, int amount) {
                   if (model.balance < amount) throw std::domain_error("too little");
                   model.balance -= amount;
                 })
      .with(2);
  account.operation("balance", &Account::balance, [](const AccountModel& model) { return model.balance; });
}

/// Two objects in one operation: what leaves one account is not yet in the other for a moment.
MUSTER_CHECK(careless_transfer) {
  auto from = check.object<Account>(3), to = check.object<Account>(0);
  check
      .operation(
          "transfer",
          [](Account& a, Account& b, int amount) {
            a.withdraw(amount);
            const std::lock_guard lock{b.mutex()};
            b.add(amount);
          },
          from, to)
      .with(1);
  check.operation(
      "sum", [](Account& a, Account& b) { return a.balance() + b.balance(); }, from, to);
}

MUSTER_CHECK(careful_transfer) {
  auto from = check.object<Account>(3), to = check.object<Account>(0);
  check
      .operation(
          "transfer",
          [](Account& a, Account& b, int amount) {
            const std::scoped_lock lock{a.mutex(), b.mutex()};
            a.add(-amount);
            b.add(amount);
          },
          from, to)
      .with(1);
  check.operation(
      "sum",
      [](Account& a, Account& b) {
        const std::scoped_lock lock{a.mutex(), b.mutex()};
        return a.unlocked_balance() + b.unlocked_balance();
      },
      from, to);
}

}  // namespace
