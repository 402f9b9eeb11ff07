// Small objects of every kind of synchronisation. Each is searched with and without reduction, and the histories must
// be the same: see tests/programs/same_histories_test.py. Those without locks: small_lock_free_check.cpp.
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

/// Waits by looking again and again, under a lock, or under two that are taken by trying.
class Polled {
 public:
  void set() {
    std::lock_guard lock(mutex_);
    set_ = true;
  }
  void wait() {
    for (bool seen = false; !seen;) {
      std::lock_guard lock(mutex_);
      seen = set_;
    }
  }
  int move() {
    std::scoped_lock both(mutex_, other_);
    return ++moves_;
  }
  int move_back() {
    std::scoped_lock both(other_, mutex_);
    return ++moves_;
  }

 private:
  std::mutex mutex_, other_;
  bool set_ = false;
  int moves_ = 0;
};

MUSTER_CHECK(small_polled) {
  auto polled = check.object<Polled>();
  polled.operation("set", &Polled::set);
  polled.operation("wait", &Polled::wait);
  polled.operation("move", &Polled::move);
  polled.operation("move_back", &Polled::move_back);
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
