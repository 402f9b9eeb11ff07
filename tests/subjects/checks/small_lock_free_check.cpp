// Small objects without locks, searched with and without reduction as those of small_check.cpp are.
#include <atomic>
#include <muster/check.hpp>
#include <muster/scenario.hpp>
#include <optional>
#include <thread>

namespace {

class Counter {
 public:
  int increment() { return count_.fetch_add(1); }
  int get() { return count_.load(); }

 private:
  std::atomic<int> count_ = 0;
};

MUSTER_CHECK(small_counter) {
  auto counter = check.object<Counter>();
  counter.operation("increment", &Counter::increment);
  counter.operation("get", &Counter::get);
}

/// Gives back what it saw in a failed try, if it finds the counter full in the next one: a try that was not in vain.
class RememberingCounter {
 public:
  int increment() {
    int before = -1;
    for (;;) {
      int now = count_.load();
      if (now == 2) return before;
      before = now;
      if (count_.compare_exchange_strong(now, now + 1)) return 10 + now;
    }
  }
  int get() { return count_.load(); }

 private:
  std::atomic<int> count_ = 0;
};

MUSTER_CHECK(small_remembering_counter) {
  auto counter = check.object<RememberingCounter>();
  counter.operation("increment", &RememberingCounter::increment);
  counter.operation("get", &RememberingCounter::get);
}

/// Tells how often it failed, if asked: the same places in the same order leave something behind for one call and not
/// for the other.
class RetryingCounter {
 public:
  int increment(bool tells) {
    int failures = 0;
    for (;;) {
      int now = count_.load();
      if (count_.compare_exchange_strong(now, now + 1)) return failures;
      if (tells) ++failures;
    }
  }

 private:
  std::atomic<int> count_ = 0;
};

MUSTER_CHECK(small_retrying_counter) {
  auto counter = check.object<RetryingCounter>();
  counter.operation("increment", &RetryingCounter::increment).with(false).with(true);
}

/// Loses increments.
class LossyCounter {
 public:
  void increment() { count_.store(count_.load() + 1); }
  int get() { return count_.load(); }

 private:
  std::atomic<int> count_ = 0;
};

MUSTER_CHECK(small_lossy_counter) {
  auto counter = check.object<LossyCounter>();
  counter.operation("increment", &LossyCounter::increment);
  counter.operation("get", &LossyCounter::get);
}

class Stack {
 public:
  ~Stack() {
    while (pop()) {
    }
  }
  void push(int value) {
    auto* node = new Node{value, head_.load()};
    while (!head_.compare_exchange_strong(node->next, node)) {
    }
  }
  std::optional<int> pop() {
    Node* node = head_.load();
    while (node && !head_.compare_exchange_strong(node, node->next)) {
    }
    return node ? std::optional(node->value) : std::nullopt;  // never freed: others may still look at it
  }

 private:
  struct Node {
    int value;
    Node* next;
  };
  std::atomic<Node*> head_ = nullptr;
};

MUSTER_CHECK(small_stack) {
  auto stack = check.object<Stack>();
  stack.operation("push", &Stack::push).with(1).with(2);
  stack.operation("pop", &Stack::pop);
}

/// Michael and Scott's queue over a few cells that are never used again.
class Queue {
 public:
  void enqueue(int value) {
    const int node = next_free_.fetch_add(1);
    cells_[node].value = value;
    for (;;) {
      int last = tail_.load();
      int next = cells_[last].next.load();
      if (next != 0) {
        tail_.compare_exchange_strong(last, next);
      } else if (cells_[last].next.compare_exchange_strong(next, node)) {
        tail_.compare_exchange_strong(last, node);
        return;
      }
    }
  }
  std::optional<int> dequeue() {
    for (;;) {
      int first = head_.load();
      const int next = cells_[first].next.load();
      if (next == 0) return std::nullopt;
      int last = tail_.load();
      if (first == last) {
        tail_.compare_exchange_strong(last, next);
      } else if (head_.compare_exchange_strong(first, next)) {
        return cells_[next].value;
      }
    }
  }

 private:
  struct Cell {
    int value = 0;
    std::atomic<int> next = 0;
  };
  Cell cells_[8];
  std::atomic<int> head_ = 1, tail_ = 1, next_free_ = 2;
};

MUSTER_CHECK(small_queue) {
  auto queue = check.object<Queue>();
  queue.operation("enqueue", &Queue::enqueue).with(1).with(2);
  queue.operation("dequeue", &Queue::dequeue);
}

/// When all calls are over its destructor starts a thread, which may come between: that is wrong only after calls that
/// met.
class Farewell {
 public:
  void visit() {
    if (inside_.fetch_add(1) > 0) met_ = true;
    inside_.fetch_sub(1);
  }
  ~Farewell() {
    int tries = 0;
    std::thread guest{[this] { value_.fetch_add(1); }};
    int seen = value_.load();
    while (!value_.compare_exchange_strong(seen, seen + 1)) ++tries;
    guest.join();
    MUSTER_REQUIRE(tries == 0 || !met_);
  }

 private:
  std::atomic<int> inside_ = 0, value_ = 0;
  std::atomic<bool> met_ = false;
};

MUSTER_CHECK(small_farewell) { check.object<Farewell>().operation("visit", &Farewell::visit); }

/// Readers try again while a writer is at it.
class Pair {
 public:
  void write(int value) {
    version_.fetch_add(1);
    first_.store(value);
    second_.store(value);
    version_.fetch_add(1);
  }
  int read() {
    for (;;) {
      const int before = version_.load();
      const int first = first_.load(), second = second_.load();
      if (before % 2 == 0 && version_.load() == before) return 10 * first + second;
    }
  }

 private:
  std::atomic<int> version_ = 0, first_ = 0, second_ = 0;
};

MUSTER_CHECK(small_pair) {
  auto pair = check.object<Pair>();
  pair.operation("write", &Pair::write).with(1);
  pair.operation("read", &Pair::read);
}

}  // namespace
