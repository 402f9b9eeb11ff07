// Classes that lock each access and not what they mean to do: what prediction finds from one execution.
#include <atomic>
#include <map>
#include <muster/check.hpp>
#include <mutex>
#include <optional>
#include <utility>

namespace {

/// Seats are sold one after the other: who asks for the next and takes it under two locks may sell one twice.
template <bool careful>
class Seats {
 public:
  int sell() {
    std::unique_lock lock{mutex_};
    const int seat = next_;
    if constexpr (!careful) {
      lock.unlock();
      lock.lock();
    }
    next_ = seat + 1;
    return seat;
  }
  int sold() {
    const std::lock_guard lock{mutex_};
    return next_;
  }

 private:
  std::mutex mutex_;
  int next_ = 0;
};

template <bool careful>
void check_seats(muster::Check& check) {
  auto seats = check.object<Seats<careful>>();
  seats.operation("sell", &Seats<careful>::sell);
  seats.operation("sold", &Seats<careful>::sold);
}
MUSTER_CHECK(seats) { check_seats<true>(check); }
MUSTER_CHECK(careless_seats) { check_seats<false>(check); }

/// Looks twice and trusts the second look: not serializable as a transaction, and no caller can tell.
class Display {
 public:
  void set(int value) {
    const std::lock_guard lock{mutex_};
    value_ = value;
  }
  int get() {
    {
      const std::lock_guard lock{mutex_};
      if (value_ < 0) return 0;
    }
    const std::lock_guard lock{mutex_};
    return value_;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

MUSTER_CHECK(display) {
  auto display = check.object<Display>();
  display.operation("set", &Display::set).with(1).with(2);
  display.operation("get", &Display::get);
}

/// A table whose every method is synchronised; what is computed if it is absent is put in by a second call.
template <bool careful>
class Memo {
 public:
  bool put_if_absent(int key, int value) {
    std::unique_lock lock{mutex_};
    const bool absent = !values_.contains(key);
    if constexpr (!careful) {
      lock.unlock();
      lock.lock();
    }
    if (absent) values_[key] = value;
    return absent;
  }
  std::optional<int> get(int key) {
    const std::lock_guard lock{mutex_};
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  bool erase(int key) {
    const std::lock_guard lock{mutex_};
    return values_.erase(key) > 0;
  }

 private:
  std::mutex mutex_;
  std::map<int, int> values_;
};

template <bool careful>
void check_memo(muster::Check& check) {
  auto memo = check.object<Memo<careful>>();
  memo.operation("put_if_absent", &Memo<careful>::put_if_absent).with(1, 10).with(2, 20);
  memo.operation("get", &Memo<careful>::get).with(1).with(2);
  memo.operation("erase", &Memo<careful>::erase).with(1);
}
MUSTER_CHECK(memo) { check_memo<true>(check); }
MUSTER_CHECK(careless_memo) { check_memo<false>(check); }

/// Two accounts, each with a lock: a transfer reads both, then writes both.
template <bool careful>
class Accounts {
 public:
  bool transfer(int amount) {
    std::unique_lock first{from_mutex_};
    const int from = from_;
    if (from < amount) return false;
    if constexpr (!careful) first.unlock();
    {
      const std::lock_guard second{to_mutex_};
      to_ += amount;
    }
    if constexpr (!careful) first.lock();
    from_ = from - amount;
    return true;
  }
  int left() {
    const std::lock_guard lock{from_mutex_};
    return from_;
  }

 private:
  std::mutex from_mutex_, to_mutex_;
  int from_ = 3, to_ = 0;
};

template <bool careful>
void check_accounts(muster::Check& check) {
  auto accounts = check.object<Accounts<careful>>();
  accounts.operation("transfer", &Accounts<careful>::transfer).with(1).with(2);
  accounts.operation("left", &Accounts<careful>::left);
}
MUSTER_CHECK(accounts) { check_accounts<true>(check); }
MUSTER_CHECK(careless_accounts) { check_accounts<false>(check); }

/// For comparison one without locks: an attempt that fails is made again, which no caller can see.
class TreiberStack {
 public:
  ~TreiberStack() {
    for (Node* node = head_.load(); node != nullptr;) delete std::exchange(node, node->next);
  }
  void push(int value) {
    Node* const node = new Node{value, head_.load()};
    while (!head_.compare_exchange_strong(node->next, node)) {
    }
  }

 private:
  struct Node {
    int value;
    Node* next;
  };
  std::atomic<Node*> head_{nullptr};
};

MUSTER_CHECK(treiber_stack) {
  auto stack = check.object<TreiberStack>();
  stack.operation("push", &TreiberStack::push).with(1);
}

}  // namespace
