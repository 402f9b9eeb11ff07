// What blocks is used after the memory that it lies in was freed, or just before.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <muster/scenario.hpp>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

struct State {
  std::mutex mutex;
  std::mutex other;
  std::condition_variable changed;
  std::atomic<int> word{0};
  bool ready = false;
};

void set_ready(State& state) {
  const std::lock_guard lock(state.mutex);
  state.ready = true;
}

/// A says that the state is ready, and touches it once more; who polls for that deletes it.
template <class Late>
void with_a_poller(Late late) {
  auto* state = new State;
  std::thread a([state, late] {
    set_ready(*state);
    late(*state);
  });
  for (;;) {
    std::unique_lock lock(state->mutex);
    const bool ready = state->ready;
    lock.unlock();
    if (ready) break;
    std::this_thread::yield();
  }
  delete state;
  a.join();
}

/// The same with somebody who waits.
template <class Late>
void with_a_waiter(Late late) {
  auto* state = new State;
  std::thread a([state, late] { late(*state); });
  {
    std::unique_lock lock(state->mutex);
    state->changed.wait(lock, [state] { return state->ready; });
  }
  delete state;
  a.join();
}

/// Nothing orders what A does with the object and its end.
template <class Object, class Use>
void beside_its_end(Use use) {
  auto* object = new Object;
  std::thread a([object, use] { use(*object); });
  delete object;
  a.join();
}

}  // namespace

MUSTER_SCENARIO(late_lock) {
  with_a_poller([](State& state) { const std::lock_guard lock(state.other); });
}
MUSTER_SCENARIO(late_try_lock) {
  with_a_poller([](State& state) {
    if (state.other.try_lock()) state.other.unlock();
  });
}
MUSTER_SCENARIO(late_notify_one) {
  with_a_poller([](State& state) { state.changed.notify_one(); });
}
MUSTER_SCENARIO(late_notify_all) {
  with_a_poller([](State& state) { state.changed.notify_all(); });
}
// It looks at the address only.
MUSTER_SCENARIO(late_notify_of_an_atomic) {
  with_a_poller([](State& state) { state.word.notify_one(); });
}

MUSTER_SCENARIO(late_unlock) {
  auto* mutex = new std::mutex;
  std::atomic<bool> seen{false};
  std::thread a([&] {
    mutex->lock();
    seen = true;
    mutex->unlock();
  });
  while (!seen) std::this_thread::yield();
  delete mutex;
  a.join();
}

MUSTER_SCENARIO(notify_one_of_a_freed_one) {
  with_a_waiter([](State& state) {
    set_ready(state);
    state.changed.notify_one();
  });
}
MUSTER_SCENARIO(notify_all_of_a_freed_one) {
  with_a_waiter([](State& state) {
    set_ready(state);
    state.changed.notify_all();
  });
}
MUSTER_SCENARIO(notify_before_it_is_freed) {
  with_a_waiter([](State& state) {
    const std::lock_guard lock(state.mutex);
    state.ready = true;
    state.changed.notify_one();
  });
}

MUSTER_SCENARIO(lock_beside_the_end) {
  beside_its_end<std::mutex>([](std::mutex& mutex) { const std::lock_guard lock(mutex); });
}
MUSTER_SCENARIO(shared_lock_beside_the_end) {
  beside_its_end<std::shared_mutex>([](std::shared_mutex& mutex) { const std::shared_lock lock(mutex); });
}
MUSTER_SCENARIO(once_beside_the_end) {
  beside_its_end<std::once_flag>([](std::once_flag& once) { std::call_once(once, [] {}); });
}
MUSTER_SCENARIO(spin_lock_beside_the_end) {
  struct SpinLock {
    pthread_spinlock_t lock{0};
  };
  beside_its_end<SpinLock>([](SpinLock& spin) {
    pthread_spin_lock(&spin.lock);
    pthread_spin_unlock(&spin.lock);
  });
}

MUSTER_SCENARIO(lock_of_a_freed_one_alone) {
  auto* mutex = new std::mutex;
  auto* volatile gone = mutex;
  delete mutex;
  gone->lock();
  std::thread([] {}).join();
}

MUSTER_SCENARIO(post_to_a_freed_semaphore) {
  auto* semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  std::thread a([semaphore] {
    sem_post(semaphore);
    sem_post(semaphore);
  });
  sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  a.join();
}
MUSTER_SCENARIO(post_before_it_is_freed) {
  auto* semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  std::thread a([semaphore] { sem_post(semaphore); });
  sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  a.join();
}

// Whoever comes through first may free it: the others need it no more.
MUSTER_SCENARIO(barrier_freed_by_the_first) {
  auto* barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 2);
  int data = 0;
  std::thread a([&] {
    data = 1;
    if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(barrier);
    delete barrier;
  });
  const bool mine = pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  MUSTER_REQUIRE(data == 1);
  if (mine) {
    pthread_barrier_destroy(barrier);
    delete barrier;
  }
  a.join();
}

// Whoever gives back the last reference under the mutex frees it, with its mutex.
MUSTER_SCENARIO(counted_under_its_mutex) {
  struct Counted {
    std::mutex mutex;
    int references = 2;
  };
  auto* counted = new Counted;
  const auto release = [counted] {
    bool last = false;
    {
      const std::lock_guard lock(counted->mutex);
      last = --counted->references == 0;
    }
    if (last) delete counted;
  };
  std::thread a(release), b(release);
  a.join();
  b.join();
}

// The waiter was notified: what it waits for now is the mutex.
MUSTER_SCENARIO(condition_freed_after_notification) {
  auto* condition = new std::condition_variable;
  std::mutex mutex;
  bool ready = false;
  std::thread a([&] {
    std::unique_lock lock(mutex);
    while (!ready) condition->wait(lock);
  });
  {
    const std::lock_guard lock(mutex);
    ready = true;
    condition->notify_one();
  }
  delete condition;
  a.join();
}

// The memory holds one mutex after the other.
MUSTER_SCENARIO(block_used_again_for_another_mutex) {
  for (int i = 0; i < 2; ++i) {
    auto* mutex = new std::mutex;
    std::thread a([mutex] { const std::lock_guard lock(*mutex); });
    a.join();
    delete mutex;
  }
}
