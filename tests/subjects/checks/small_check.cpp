// Small objects of every kind of synchronisation. Each is searched with and without reduction, and the histories must
// be the same: see tests/programs/same_histories_test.py.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <muster/check.hpp>
#include <muster/scenario.hpp>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

// ---- locks ----

class TwoLocks {
 public:
  /// Takes both locks, one or the other first.
  void move(bool first) {
    std::scoped_lock outer(first ? a_ : b_);
    std::scoped_lock inner(first ? b_ : a_);
    ++moves_;
  }
  int moves() {
    std::scoped_lock lock(a_);
    return moves_;
  }

 private:
  std::mutex a_, b_;
  int moves_ = 0;
};

MUSTER_CHECK(small_two_locks) {
  auto locks = check.object<TwoLocks>();
  locks.operation("move", &TwoLocks::move).with(true).with(false);
  locks.operation("moves", &TwoLocks::moves);
}

class TryingCounter {
 public:
  bool increment() {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    ++count_;
    return true;
  }
  int get() {
    std::scoped_lock lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  int count_ = 0;
};

MUSTER_CHECK(small_try_lock) {
  auto counter = check.object<TryingCounter>();
  counter.operation("increment", &TryingCounter::increment);
  counter.operation("get", &TryingCounter::get);
}

class TimedCounter {
 public:
  bool increment() {
    std::unique_lock lock(mutex_, 1ms);
    if (!lock) return false;
    ++count_;
    return true;
  }

 private:
  std::timed_mutex mutex_;
  int count_ = 0;
};

MUSTER_CHECK(small_timed_mutex) {
  auto counter = check.object<TimedCounter>();
  counter.operation("increment", &TimedCounter::increment);
}

class SharedValue {
 public:
  void set(int value) {
    std::unique_lock lock(mutex_);
    value_ = value;
  }
  int get() {
    std::shared_lock lock(mutex_);
    return value_;
  }

 private:
  std::shared_mutex mutex_;
  int value_ = 0;
};

MUSTER_CHECK(small_shared_mutex) {
  auto value = check.object<SharedValue>();
  value.operation("set", &SharedValue::set).with(1).with(2);
  value.operation("get", &SharedValue::get);
}

/// Who is inside keeps it open; whoever wants to shut it waits.
class SharedDoor {
 public:
  void enter() { door_.lock_shared(); }
  void leave() { door_.unlock_shared(); }
  void shut() { door_.lock(); }
  void open() { door_.unlock(); }

 private:
  std::shared_mutex door_;
};

MUSTER_CHECK(small_shared_door) {
  auto door = check.object<SharedDoor>();
  door.operation("enter", &SharedDoor::enter);
  door.operation("leave", &SharedDoor::leave);
  door.operation("shut", &SharedDoor::shut);
  door.operation("open", &SharedDoor::open);
}

class SpinLocked {
 public:
  int next() {
    while (locked_.exchange(true)) {
    }
    const int value = value_++;
    locked_.store(false);
    return value;
  }

 private:
  std::atomic<bool> locked_ = false;
  int value_ = 0;
};

MUSTER_CHECK(small_spin_lock) {
  auto locked = check.object<SpinLocked>();
  locked.operation("next", &SpinLocked::next);
}

// ---- condition variables ----

class Event {
 public:
  void set() {
    std::scoped_lock lock(mutex_);
    set_ = true;
    changed_.notify_all();
  }
  void reset() {
    std::scoped_lock lock(mutex_);
    set_ = false;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return set_; });
  }
  bool wait_a_little() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 1ms, [this] { return set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

MUSTER_CHECK(small_event) {
  auto event = check.object<Event>();
  event.operation("set", &Event::set);
  event.operation("reset", &Event::reset);
  event.operation("wait", &Event::wait);
  event.operation("wait_a_little", &Event::wait_a_little);
}

/// Wakes one waiter only, although several may be able to go on.
class Slot {
 public:
  void put(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !value_; });
    value_ = value;
    changed_.notify_one();
  }
  int take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return value_.has_value(); });
    const int value = *value_;
    value_.reset();
    changed_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> value_;
};

MUSTER_CHECK(small_slot) {
  auto slot = check.object<Slot>();
  slot.operation("put", &Slot::put).with(1).with(2);
  slot.operation("take", &Slot::take);
}

// ---- semaphores and futexes ----

class PosixSemaphore {
 public:
  PosixSemaphore() { sem_init(&semaphore_, 0, 1); }
  ~PosixSemaphore() { sem_destroy(&semaphore_); }
  void acquire() { sem_wait(&semaphore_); }
  bool try_acquire() { return sem_trywait(&semaphore_) == 0; }
  void release() { sem_post(&semaphore_); }

 private:
  sem_t semaphore_;
};

MUSTER_CHECK(small_posix_semaphore) {
  auto semaphore = check.object<PosixSemaphore>();
  semaphore.operation("acquire", &PosixSemaphore::acquire);
  semaphore.operation("try_acquire", &PosixSemaphore::try_acquire);
  semaphore.operation("release", &PosixSemaphore::release);
}

class StdSemaphore {
 public:
  void acquire() { semaphore_.acquire(); }
  bool try_acquire() { return semaphore_.try_acquire(); }
  void release() { semaphore_.release(); }

 private:
  std::counting_semaphore<4> semaphore_{0};
};

MUSTER_CHECK(small_std_semaphore) {
  auto semaphore = check.object<StdSemaphore>();
  semaphore.operation("acquire", &StdSemaphore::acquire);
  semaphore.operation("try_acquire", &StdSemaphore::try_acquire);
  semaphore.operation("release", &StdSemaphore::release);
}

/// A futex behind std::atomic's wait.
class Gate {
 public:
  void open() {
    open_.store(1);
    open_.notify_one();
  }
  void pass() { open_.wait(0); }
  int look() { return open_.load(); }

 private:
  std::atomic<int> open_ = 0;
};

MUSTER_CHECK(small_gate) {
  auto gate = check.object<Gate>();
  gate.operation("open", &Gate::open);
  gate.operation("pass", &Gate::pass);
  gate.operation("look", &Gate::look);
}

// ---- lock-free structures ----

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

/// Tells how often it failed, if asked: the same places in the same order leave something behind for one call and not for the other.
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

// ---- choices and once ----

/// Adds to one part or the other, as chosen; whoever reads looks at one after the other.
class Halves {
 public:
  void add() { parts_[muster::choose(2)].fetch_add(1); }
  int sum() {
    const int first = parts_[0].load();
    return first + parts_[1].load();
  }

 private:
  std::atomic<int> parts_[2]{};
};

MUSTER_CHECK(small_halves) {
  auto halves = check.object<Halves>();
  halves.operation("add", &Halves::add);
  halves.operation("sum", &Halves::sum);
}

class Lazy {
 public:
  int get() {
    std::call_once(once_, [this] { value_ = 1 + made_.fetch_add(1); });
    return value_;
  }
  int made() { return made_.load(); }

 private:
  std::once_flag once_;
  std::atomic<int> made_ = 0;
  int value_ = 0;
};

MUSTER_CHECK(small_lazy) {
  auto lazy = check.object<Lazy>();
  lazy.operation("get", &Lazy::get);
  lazy.operation("made", &Lazy::made);
}

}  // namespace
