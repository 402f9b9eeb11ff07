// Threads, locks and semaphores of POSIX, and the system call below them.
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <muster/scenario.hpp>
#include <string>
#include <thread>
#include <type_traits>

#include "two_threads.hpp"

namespace {

class PosixMutex {
 public:
  template <class... Settings>
  explicit PosixMutex(Settings... settings) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    (settings(&attributes), ...);
    MUSTER_REQUIRE(pthread_mutex_init(&mutex_, &attributes) == 0);
    pthread_mutexattr_destroy(&attributes);
  }
  ~PosixMutex() { MUSTER_REQUIRE(pthread_mutex_destroy(&mutex_) == 0); }
  pthread_mutex_t* operator&() { return &mutex_; }

 private:
  pthread_mutex_t mutex_;
};

const auto type = [](int kind) { return [kind](pthread_mutexattr_t* a) { pthread_mutexattr_settype(a, kind); }; };
const auto robust = [](pthread_mutexattr_t* a) { pthread_mutexattr_setrobust(a, PTHREAD_MUTEX_ROBUST); };
const auto shared = [](pthread_mutexattr_t* a) { pthread_mutexattr_setpshared(a, PTHREAD_PROCESS_SHARED); };
const auto inheriting = [](pthread_mutexattr_t* a) { pthread_mutexattr_setprotocol(a, PTHREAD_PRIO_INHERIT); };

timespec in(clockid_t clock, long nanoseconds) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += nanoseconds;
  time.tv_sec += time.tv_nsec / 1'000'000'000;
  time.tv_nsec %= 1'000'000'000;
  return time;
}

}  // namespace

// Those that look who calls say so by errors, which are answers like any other.
MUSTER_SCENARIO(mutexes_that_answer) {
  PosixMutex checking(type(PTHREAD_MUTEX_ERRORCHECK)), recursive(type(PTHREAD_MUTEX_RECURSIVE), shared);
  int value = 0;
  const auto use = [&] {
    MUSTER_REQUIRE(pthread_mutex_unlock(&checking) == EPERM);
    MUSTER_REQUIRE(pthread_mutex_lock(&checking) == 0);
    MUSTER_REQUIRE(pthread_mutex_lock(&checking) == EDEADLK);
    MUSTER_REQUIRE(pthread_mutex_trylock(&checking) == EBUSY);
    MUSTER_REQUIRE(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_trylock(&recursive) == 0);
    ++value;
    MUSTER_REQUIRE(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    MUSTER_REQUIRE(pthread_mutex_unlock(&recursive) == EPERM);
    MUSTER_REQUIRE(pthread_mutex_unlock(&checking) == 0);
  };
  in_two_threads(use, use);
  MUSTER_REQUIRE(value == 2);
}

// Robust, shared, with inheritance of priorities: locks all the same.
MUSTER_SCENARIO(mutexes_with_attributes) {
  PosixMutex first(robust, shared, type(PTHREAD_MUTEX_ERRORCHECK)), second(inheriting, type(PTHREAD_MUTEX_ADAPTIVE_NP));
  int value = 0;
  const auto use = [&] {
    MUSTER_REQUIRE(pthread_mutex_lock(&first) == 0 && pthread_mutex_lock(&second) == 0);
    ++value;
    MUSTER_REQUIRE(pthread_mutex_unlock(&second) == 0 && pthread_mutex_unlock(&first) == 0);
  };
  in_two_threads(use, use);
  MUSTER_REQUIRE(value == 2);
}

// Its owner ends in a call that ends the thread; whoever comes next repairs what it left.
MUSTER_SCENARIO(mutex_of_one_who_ended) {
  PosixMutex mutex(robust);
  int whole = 0, half = 0;
  const auto use = [&](bool ends) {
    const int answer = pthread_mutex_lock(&mutex);
    if (answer == EOWNERDEAD) {
      half = whole;
      MUSTER_REQUIRE(pthread_mutex_consistent(&mutex) == 0);
    } else {
      MUSTER_REQUIRE(answer == 0 && half == whole);
    }
    ++whole;
    if (ends) pthread_exit(nullptr);
    half = whole;
    pthread_mutex_unlock(&mutex);
  };
  in_two_threads([&] { use(true); }, [&] { use(false); });
}

MUSTER_SCENARIO(reader_writer_lock_with_times) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  int value = 0;
  in_two_threads(
      [&] {
        const timespec soon = in(CLOCK_MONOTONIC, 1000);
        if (pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon) == ETIMEDOUT) return;
        value = 1;
        MUSTER_REQUIRE(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_rdlock(&lock) == EDEADLK);
        pthread_rwlock_unlock(&lock);
      },
      [&] {
        const timespec past{0, 0};
        if (pthread_rwlock_timedrdlock(&lock, &past) != 0) return;
        MUSTER_REQUIRE(pthread_rwlock_rdlock(&lock) == 0 && value <= 1);  // once more
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_unlock(&lock);
      });
  pthread_rwlock_destroy(&lock);
}

MUSTER_SCENARIO(condition_by_the_monotonic_clock) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_t changed;
  pthread_cond_init(&changed, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  bool ready = false;
  in_two_threads(
      [&] {
        const timespec end = in(CLOCK_MONOTONIC, 5'000'000);
        pthread_mutex_lock(&mutex);
        int error = 0;
        while (!ready && error == 0) error = pthread_cond_timedwait(&changed, &mutex, &end);
        MUSTER_REQUIRE(ready || error == ETIMEDOUT);
        pthread_mutex_unlock(&mutex);
      },
      [&] {
        pthread_mutex_lock(&mutex);
        ready = true;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&changed);
      });
  pthread_cond_destroy(&changed);
}

namespace {

pthread_key_t key;
std::atomic<int> rounds;

/// Sets the value once more, so that it is called again.
void count_rounds(void* value) {
  ++rounds;
  auto* left = static_cast<int*>(value);
  if (--*left > 0) pthread_setspecific(key, left);
}

}  // namespace

MUSTER_SCENARIO(key_set_again_by_its_destructor) {
  pthread_key_create(&key, count_rounds);
  int first = 2, second = 1;
  in_two_threads([&] { pthread_setspecific(key, &first); }, [&] { pthread_setspecific(key, &second); });
  MUSTER_REQUIRE(rounds == 3 && !pthread_getspecific(key));
  pthread_key_delete(key);
}

namespace {

struct OnItsWay {
  int& counter;
  ~OnItsWay() { ++counter; }
};

void* leave(void* counter) {
  const OnItsWay object{*static_cast<int*>(counter)};
  pthread_cleanup_push([](void* c) { ++*static_cast<int*>(c); }, counter);
  try {
    pthread_exit(counter);
  } catch (const std::exception&) {
    *static_cast<int*>(counter) += 100;
  } catch (...) {
    ++*static_cast<int*>(counter);
    throw;
  }
  pthread_cleanup_pop(0);
  return nullptr;
}

}  // namespace

// Destructors and handlers run on the way, and the result arrives.
MUSTER_SCENARIO(thread_that_leaves_early) {
  int counter = 0;
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN + 65536);
  pthread_attr_setguardsize(&attributes, 4096);
  MUSTER_REQUIRE(pthread_create(&thread, &attributes, leave, &counter) == 0);
  pthread_attr_destroy(&attributes);
  void* result = nullptr;
  MUSTER_REQUIRE(pthread_join(thread, &result) == 0);
  MUSTER_REQUIRE(result == &counter && counter == 3);
}

// Asked again and again whether it has ended, or for a while.
MUSTER_SCENARIO(joins_that_do_not_wait_for_ever) {
  int value = 0;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* at) -> void* {
        *static_cast<int*>(at) = 1;
        return at;
      },
      &value);
  const timespec soon = in(CLOCK_REALTIME, 1'000'000);
  void* result = nullptr;
  int error = pthread_timedjoin_np(thread, &result, &soon);
  while (error == ETIMEDOUT || error == EBUSY) {
    sched_yield();
    error = pthread_tryjoin_np(thread, &result);
  }
  MUSTER_REQUIRE(error == 0 && result == &value && value == 1);
}

MUSTER_SCENARIO(threads_with_names_and_states) {
  in_two_threads(
      [] {
        int before = -1;
        MUSTER_REQUIRE(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0 && before == PTHREAD_CANCEL_ENABLE);
        pthread_testcancel();
        pthread_setcancelstate(before, nullptr);
        pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
      },
      [] {
        pthread_attr_t attributes;
        MUSTER_REQUIRE(pthread_getattr_np(pthread_self(), &attributes) == 0);
        void* low = nullptr;
        std::size_t size = 0;
        pthread_attr_getstack(&attributes, &low, &size);
        pthread_attr_destroy(&attributes);
        const auto here = reinterpret_cast<std::uintptr_t>(&attributes);
        MUSTER_REQUIRE(here - reinterpret_cast<std::uintptr_t>(low) < size);
        int policy = -1;
        sched_param parameters;
        MUSTER_REQUIRE(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
        MUSTER_REQUIRE(pthread_equal(pthread_self(), pthread_self()) != 0);
      });
}

MUSTER_SCENARIO(semaphore_by_the_clock) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  int value = 0;
  const auto use = [&](clockid_t clock) {
    const timespec end = in(clock, 1'000'000);
    const int error =
        clock == CLOCK_REALTIME ? sem_timedwait(&semaphore, &end) : sem_clockwait(&semaphore, clock, &end);
    if (error != 0) {
      MUSTER_REQUIRE(errno == ETIMEDOUT);
      return;
    }
    ++value;
    sem_post(&semaphore);
  };
  in_two_threads([&] { use(CLOCK_REALTIME); }, [&] { use(CLOCK_MONOTONIC); });
  int left = 0;
  MUSTER_REQUIRE(sem_getvalue(&semaphore, &left) == 0 && left == 1 && value <= 2);
  sem_destroy(&semaphore);
}

// A phase each: whoever is told that it was the last one does what is between the phases.
MUSTER_SCENARIO(barrier_of_two_phases) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  int sum = 0, serial = 0;
  const auto work = [&] {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial, sum = 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
    MUSTER_REQUIRE(sum == 1);
  };
  in_two_threads(work, work);
  MUSTER_REQUIRE(serial == 2);
  pthread_barrier_destroy(&barrier);
}

MUSTER_SCENARIO(spin_lock_tried_first) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  int value = 0;
  const auto add = [&] {
    if (pthread_spin_trylock(&lock) != 0) pthread_spin_lock(&lock);
    ++value;
    pthread_spin_unlock(&lock);
  };
  in_two_threads(add, add);
  pthread_spin_destroy(&lock);
  MUSTER_REQUIRE(value == 2);
}

namespace {

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout = nullptr,
           std::atomic<std::uint32_t>* other = nullptr, std::uint32_t more = 0) {
  return syscall(SYS_futex, &word, operation, value, timeout, other, more);
}

}  // namespace

// Drepper's mutex: 0 free, 1 taken, 2 taken and perhaps waited for.
MUSTER_SCENARIO(lock_on_a_futex) {
  std::atomic<std::uint32_t> word{0};
  int value = 0;
  const auto add = [&] {
    std::uint32_t seen = 0;
    if (!word.compare_exchange_strong(seen, 1, std::memory_order_acquire)) {
      if (seen != 2) seen = word.exchange(2, std::memory_order_acquire);
      while (seen != 0) {
        futex(word, FUTEX_WAIT_PRIVATE, 2);
        seen = word.exchange(2, std::memory_order_acquire);
      }
    }
    ++value;
    if (word.exchange(0, std::memory_order_release) == 2) futex(word, FUTEX_WAKE_PRIVATE, 1);
  };
  in_two_threads(add, add);
  MUSTER_REQUIRE(value == 2);
}

// Those who wait are moved to another word, unless the first one has changed meanwhile.
MUSTER_SCENARIO(futex_requeued_if_unchanged) {
  std::atomic<std::uint32_t> first{0}, second{0};
  std::thread waiter([&] {
    while (first == 0 && second == 0) futex(first, FUTEX_WAIT, 0);
  });
  const auto count = [](std::uint32_t n) { return reinterpret_cast<const timespec*>(std::uintptr_t{n}); };
  MUSTER_REQUIRE(futex(first, FUTEX_CMP_REQUEUE, 0, count(1), &second, 7) == -1 && errno == EAGAIN);
  const long moved = futex(first, FUTEX_CMP_REQUEUE, 0, count(1), &second, 0);
  MUSTER_REQUIRE(moved == 0 || moved == 1);
  first = 1;
  second = 1;
  futex(first, FUTEX_WAKE, INT_MAX);
  futex(second, FUTEX_WAKE, INT_MAX);
  waiter.join();
}

MUSTER_SCENARIO(futex_that_times_out) {
  std::atomic<std::uint32_t> word{3};
  in_a_thread([&] {
    const timespec soon{0, 1000};
    MUSTER_REQUIRE(futex(word, FUTEX_WAIT, 4) == -1 && errno == EAGAIN);
    if (futex(word, FUTEX_WAIT, 3, &soon) == -1) MUSTER_REQUIRE(errno == ETIMEDOUT);
    MUSTER_REQUIRE(futex(word, FUTEX_WAKE, 1) == 0);
  });
}

// Names of the process and the thread are the same by all ways to ask.
MUSTER_SCENARIO(names_by_system_call) {
  const auto look = [] {
    MUSTER_REQUIRE(syscall(SYS_getpid) == getpid());
    MUSTER_REQUIRE(syscall(SYS_gettid) == gettid());
    MUSTER_REQUIRE(syscall(SYS_getppid) == getppid());
  };
  in_two_threads(look, look);
  MUSTER_REQUIRE(gettid() == getpid());  // in the first thread
}

// Back to where the thread was, over frames without destructors.
MUSTER_SCENARIO(jumps_within_a_thread) {
  std::atomic<int> done{0};
  const auto work = [&] {
    jmp_buf place;
    volatile int turns = 0;
    const int came = setjmp(place);
    turns = turns + 1;
    done.fetch_add(1);
    if (came < 2) longjmp(place, came + 1);
    MUSTER_REQUIRE(came == 2 && turns == 3);
  };
  in_two_threads(work, work);
  MUSTER_REQUIRE(done == 6);
}

// Each thread has an error number and a buffer for texts of its own.
MUSTER_SCENARIO(error_numbers_of_their_own) {
  std::atomic<int> turns{0};
  const auto fail = [&](int error) {
    errno = error;
    ++turns;
    MUSTER_REQUIRE(errno == error && strerror(errno) != nullptr);
    char* rest = nullptr;
    char words[] = "one two";
    MUSTER_REQUIRE(strcmp(strtok_r(words, " ", &rest), "one") == 0);
    ++turns;
    MUSTER_REQUIRE(errno == error && strcmp(strtok_r(nullptr, " ", &rest), "two") == 0);
  };
  in_two_threads([&] { fail(ENOENT); }, [&] { fail(EINTR); });
}
