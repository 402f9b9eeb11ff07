// abseil's locks from Debian's library, which is not instrumented: used rightly, and each with one fault.
#include <absl/base/call_once.h>
#include <absl/synchronization/barrier.h>
#include <absl/synchronization/blocking_counter.h>
#include <absl/synchronization/mutex.h>
#include <absl/synchronization/notification.h>

#include <thread>

#include "muster/scenario.hpp"

MUSTER_SCENARIO(absl_mutex) {
  static absl::Mutex mutex;  // the same one in each execution
  static int count;
  count = 0;
  const auto add = [] {
    absl::MutexLock lock(&mutex);
    ++count;
  };
  std::thread a{add}, b{add};
  a.join();
  b.join();
  MUSTER_REQUIRE(count == 2);
}

namespace {

void read_while_written(bool writer_is_shared) {
  absl::Mutex mutex;
  int value = 0, seen = 0;
  std::thread reader{[&] {
    absl::ReaderMutexLock lock(&mutex);
    seen = value;
  }};
  if (writer_is_shared) {
    absl::ReaderMutexLock lock(&mutex);
    ++value;
  } else {
    absl::WriterMutexLock lock(&mutex);
    ++value;
  }
  reader.join();
  MUSTER_REQUIRE(seen <= 1);
}

}  // namespace

MUSTER_SCENARIO(absl_reader_lock) { read_while_written(false); }
MUSTER_SCENARIO(absl_reader_lock_written) { read_while_written(true); }

MUSTER_SCENARIO(absl_await) {
  absl::Mutex mutex;
  bool ready = false;
  int gone_on = 0;
  std::thread a{[&] {
    mutex.LockWhen(absl::Condition(&ready));
    ++gone_on;
    mutex.Unlock();
  }};
  std::thread b{[&] {
    absl::MutexLock lock(&mutex);
    mutex.Await(absl::Condition(&ready));
    ++gone_on;
  }};
  {
    absl::MutexLock lock(&mutex);
    ready = true;
  }
  a.join();
  b.join();
  MUSTER_REQUIRE(gone_on == 2);
}

MUSTER_SCENARIO(absl_await_in_turn) {
  absl::Mutex mutex;
  int turn = 0;
  const auto after = [&](auto condition) {
    absl::MutexLock lock(&mutex);
    mutex.Await(absl::Condition(+condition, &turn));
    ++turn;
  };
  std::thread a{[&] { after([](int* now) { return *now == 1; }); }};
  std::thread b{[&] { after([](int* now) { return *now == 2; }); }};
  {
    absl::MutexLock lock(&mutex);
    turn = 1;
  }
  a.join();
  b.join();
  MUSTER_REQUIRE(turn == 3);
}

MUSTER_SCENARIO(absl_await_in_vain) {
  absl::Mutex mutex;
  bool ready = false;
  std::thread waiter{[&] {
    absl::MutexLock lock(&mutex);
    mutex.Await(absl::Condition(&ready));
  }};
  {
    absl::MutexLock lock(&mutex);
    ready = false;
  }
  waiter.join();
}

MUSTER_SCENARIO(absl_timeout_forgotten) {
  absl::Mutex mutex;
  bool ready = false, seen = false;
  std::thread waiter{[&] {
    absl::MutexLock lock(&mutex);
    seen = mutex.AwaitWithTimeout(absl::Condition(&ready), absl::Milliseconds(10));
  }};
  {
    absl::MutexLock lock(&mutex);
    ready = true;
  }
  waiter.join();
  MUSTER_REQUIRE(seen);
}

namespace {

void wait_for_signal(bool signals_before) {
  absl::Mutex mutex;
  absl::CondVar changed;
  bool ready = false;
  std::thread waiter{[&] {
    absl::MutexLock lock(&mutex);
    if (signals_before) {
      changed.Wait(&mutex);
    } else {
      while (!ready) changed.Wait(&mutex);
    }
  }};
  {
    absl::MutexLock lock(&mutex);
    ready = true;
    changed.Signal();
  }
  waiter.join();
}

}  // namespace

MUSTER_SCENARIO(absl_condition_variable) { wait_for_signal(false); }
MUSTER_SCENARIO(absl_condition_variable_too_late) { wait_for_signal(true); }

MUSTER_SCENARIO(absl_notification) {
  absl::Notification done;
  int value = 0;
  std::thread worker{[&] {
    value = 1;
    done.Notify();
  }};
  std::thread polling{[&] {
    while (!done.HasBeenNotified()) std::this_thread::yield();
    MUSTER_REQUIRE(value == 1);
  }};
  done.WaitForNotification();
  MUSTER_REQUIRE(value == 1);
  worker.join();
  polling.join();
}

MUSTER_SCENARIO(absl_blocking_counter) {
  absl::BlockingCounter left(2);
  int values[2] = {0, 0};
  const auto work = [&](int index) {
    values[index] = 1;
    left.DecrementCount();
  };
  std::thread a{work, 0}, b{work, 1};
  left.Wait();
  MUSTER_REQUIRE(values[0] + values[1] == 2);
  a.join();
  b.join();
}

MUSTER_SCENARIO(absl_barrier) {
  auto* barrier = new absl::Barrier(2);
  int value = 0;
  std::thread other{[&] {
    value = 1;
    if (barrier->Block()) delete barrier;
  }};
  if (barrier->Block()) delete barrier;
  MUSTER_REQUIRE(value == 1);
  other.join();
}

MUSTER_SCENARIO(absl_once) {
  absl::once_flag once;
  int made = 0;
  const auto use = [&] {
    absl::call_once(once, [&] { ++made; });
    MUSTER_REQUIRE(made == 1);
  };
  std::thread a{use}, b{use};
  a.join();
  b.join();
}

MUSTER_SCENARIO(absl_mutex_taken_twice) {
  absl::Mutex mutex;
  std::thread owner{[&] {
    absl::MutexLock lock(&mutex);
    absl::MutexLock again(&mutex);
  }};
  owner.join();
}
