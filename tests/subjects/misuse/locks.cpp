// Locks, condition variables and their like as they must not be used, or just as they may.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <muster/scenario.hpp>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

template <class Body>
void in_a_thread(Body body) {
  std::thread other(body);
  other.join();
}

class PosixMutex {
 public:
  explicit PosixMutex(int type, bool robust = false) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  ~PosixMutex() { pthread_mutex_destroy(&mutex_); }
  pthread_mutex_t* operator&() { return &mutex_; }

 private:
  pthread_mutex_t mutex_;
};

}  // namespace

// ---- unlocking ----

MUSTER_SCENARIO(unlocks_what_another_locked) {
  std::mutex mutex;
  mutex.lock();
  in_a_thread([&] { mutex.unlock(); });
}
MUSTER_SCENARIO(unlocks_what_nobody_locked) {
  std::mutex mutex;
  mutex.unlock();
  in_a_thread([&] { const std::lock_guard lock(mutex); });
}
MUSTER_SCENARIO(unlocks_twice_sometimes) {
  std::mutex mutex;
  const auto worker = [&] {
    if (mutex.try_lock()) {
      mutex.unlock();
    } else {
      mutex.unlock();
    }
  };
  std::thread a(worker), b(worker);
  a.join();
  b.join();
}
MUSTER_SCENARIO(unlocks_what_another_reads) {
  std::shared_mutex mutex;
  mutex.lock_shared();
  in_a_thread([&] { mutex.unlock_shared(); });
}
MUSTER_SCENARIO(unlocks_spin_lock_of_another) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  in_a_thread([&] { pthread_spin_unlock(&lock); });
}
// These check who calls, and tell by an error.
MUSTER_SCENARIO(is_told_not_to_unlock) {
  PosixMutex checking(PTHREAD_MUTEX_ERRORCHECK), recursive(PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_lock(&checking);
  pthread_mutex_lock(&recursive);
  in_a_thread([&] {
    MUSTER_REQUIRE(pthread_mutex_unlock(&checking) == EPERM);
    MUSTER_REQUIRE(pthread_mutex_unlock(&recursive) == EPERM);
  });
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&checking);
  MUSTER_REQUIRE(pthread_mutex_unlock(&checking) == EPERM);
}

// ---- threads that end ----

MUSTER_SCENARIO(ends_with_a_mutex) {
  std::mutex mutex;
  in_a_thread([&] { mutex.lock(); });
}
MUSTER_SCENARIO(ends_with_a_shared_lock) {
  std::shared_mutex mutex;
  in_a_thread([&] { mutex.lock_shared(); });
}
MUSTER_SCENARIO(ends_with_a_mutex_if_it_comes_second) {
  std::mutex mutex;
  int users = 0;
  const auto worker = [&] {
    mutex.lock();
    if (++users == 2) return;
    mutex.unlock();
  };
  std::thread a(worker), b(worker);
  a.join();
  b.join();
}

// ---- destroying ----

MUSTER_SCENARIO(locks_what_was_destroyed) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, nullptr);
  pthread_mutex_destroy(&mutex);
  in_a_thread([&] { pthread_mutex_lock(&mutex); });
}
MUSTER_SCENARIO(locks_what_another_destroys) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, nullptr);
  std::thread a([&] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_destroy(&mutex);
  a.join();
}
MUSTER_SCENARIO(destroys_what_is_locked) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, nullptr);
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
  in_a_thread([] {});
}
MUSTER_SCENARIO(destroys_what_is_read) {
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, nullptr);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_destroy(&lock);
  in_a_thread([] {});
}
MUSTER_SCENARIO(destroys_twice) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  sem_destroy(&semaphore);
  sem_destroy(&semaphore);
  in_a_thread([] {});
}
MUSTER_SCENARIO(destroys_what_is_waited_on) {
  auto* condition = new std::condition_variable;
  std::mutex mutex;
  bool ready = false;
  std::thread a([&] {
    std::unique_lock lock(mutex);
    while (!ready) condition->wait_for(lock, std::chrono::milliseconds(1));
  });
  {
    const std::lock_guard lock(mutex);
    ready = true;
  }
  delete condition;
  a.join();
}
MUSTER_SCENARIO(destroys_and_makes_again) {
  pthread_mutex_t mutex;
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&mutex, nullptr);
    in_a_thread([&] {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
    });
    pthread_mutex_destroy(&mutex);
  }
}
MUSTER_SCENARIO(zeros_are_a_mutex) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, nullptr);
  pthread_mutex_destroy(&mutex);
  std::memset(&mutex, 0, sizeof mutex);
  int count = 0;
  const auto worker = [&] {
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_mutex_unlock(&mutex);
  };
  std::thread a(worker), b(worker);
  a.join();
  b.join();
  MUSTER_REQUIRE(count == 2);
}

// ---- waiting ----

MUSTER_SCENARIO(waits_with_another_mutex) {
  std::condition_variable changed;
  std::mutex first, second;
  bool ready = false;
  std::thread a([&] {
    std::unique_lock lock(first);
    while (!ready) changed.wait(lock);
  });
  std::thread b([&] {
    std::unique_lock lock(second);
    changed.wait_for(lock, std::chrono::milliseconds(1));
  });
  {
    const std::lock_guard lock(first);
    ready = true;
    changed.notify_all();
  }
  a.join();
  b.join();
}
MUSTER_SCENARIO(waits_with_another_mutex_later) {
  std::condition_variable changed;
  std::mutex first, second;
  const auto wait = [&](std::mutex& mutex) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(1));
  };
  in_a_thread([&] { wait(first); });
  in_a_thread([&] { wait(second); });
}
MUSTER_SCENARIO(waits_without_the_mutex) {
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::thread a([&] { pthread_cond_wait(&changed, &mutex); });
  pthread_cond_signal(&changed);
  a.join();
}

// ---- mutexes that outlive their owners ----

MUSTER_SCENARIO(takes_over_from_the_dead) {
  PosixMutex mutex(PTHREAD_MUTEX_NORMAL, true);
  int data = 0;
  in_a_thread([&] {
    pthread_mutex_lock(&mutex);
    data = 1;
  });
  MUSTER_REQUIRE(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
  MUSTER_REQUIRE(pthread_mutex_consistent(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  MUSTER_REQUIRE(pthread_mutex_lock(&mutex) == 0);
  MUSTER_REQUIRE(pthread_mutex_consistent(&mutex) == EINVAL);
  MUSTER_REQUIRE(data == 1);
  pthread_mutex_unlock(&mutex);
}
MUSTER_SCENARIO(waits_for_the_dead) {
  PosixMutex mutex(PTHREAD_MUTEX_NORMAL, true);
  int data = 0, died = 0;
  std::thread a([&] {
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) ++died;
    ++data;
  });
  const int error = pthread_mutex_lock(&mutex);
  ++data;
  if (error == EOWNERDEAD) {
    ++died;
    pthread_mutex_consistent(&mutex);
  }
  pthread_mutex_unlock(&mutex);
  a.join();
  MUSTER_REQUIRE(died == (error == EOWNERDEAD));
  if (error == 0) {
    MUSTER_REQUIRE(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    pthread_mutex_unlock(&mutex);
  }
  MUSTER_REQUIRE(data == 2);
}
MUSTER_SCENARIO(leaves_what_the_dead_left) {
  PosixMutex mutex(PTHREAD_MUTEX_NORMAL, true);
  in_a_thread([&] { pthread_mutex_lock(&mutex); });
  MUSTER_REQUIRE(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  pthread_mutex_unlock(&mutex);
  MUSTER_REQUIRE(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  in_a_thread([&] { MUSTER_REQUIRE(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE); });
}
MUSTER_SCENARIO(forgets_that_the_owner_may_be_dead) {
  PosixMutex mutex(PTHREAD_MUTEX_NORMAL, true);
  std::thread a([&] { pthread_mutex_lock(&mutex); });
  MUSTER_REQUIRE(pthread_mutex_lock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  a.join();
}
MUSTER_SCENARIO(comes_back_to_what_the_dead_left) {
  PosixMutex mutex(PTHREAD_MUTEX_NORMAL, true);
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  std::thread a([&] {
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
    pthread_cond_signal(&changed);
  });
  MUSTER_REQUIRE(pthread_cond_wait(&changed, &mutex) == EOWNERDEAD);
  pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
  a.join();
}

// ---- what is made before the search ----

namespace {

struct Made {
  sem_t semaphore;
  pthread_barrier_t barrier;
  Made() {
    sem_init(&semaphore, 0, 1);
    pthread_barrier_init(&barrier, nullptr, 2);
  }
} made;

}  // namespace

MUSTER_SCENARIO(made_before) {
  int count = 0;
  const auto worker = [&] {
    sem_wait(&made.semaphore);
    ++count;
    sem_post(&made.semaphore);
    pthread_barrier_wait(&made.barrier);
  };
  std::thread a(worker), b(worker);
  a.join();
  b.join();
  MUSTER_REQUIRE(count == 2);
}
