// Locks made of loads and stores: right with seq_cst, wrong with acquire and release alone.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

template <std::memory_order Load, std::memory_order Store>
class Peterson {
 public:
  void lock(int me) {
    wants_[me].store(true, Store);
    turn_.store(1 - me, Store);
    while (wants_[1 - me].load(Load) && turn_.load(Load) != me) std::this_thread::yield();
  }
  void unlock(int me) { wants_[me].store(false, Store); }

 private:
  std::atomic<bool> wants_[2] = {};
  std::atomic<int> turn_{0};
};

/// Who sees the other's wish goes away again.
template <std::memory_order Load, std::memory_order Store>
class DekkerFlags {
 public:
  bool try_lock(int me) {
    wants_[me].store(true, Store);
    if (!wants_[1 - me].load(Load)) return true;
    wants_[me].store(false, Store);
    return false;
  }
  void unlock(int me) { wants_[me].store(false, Store); }

 private:
  std::atomic<bool> wants_[2] = {};
};

/// What the lock protects is counted by atomics: a race would tell before.
struct Inside {
  std::atomic<int> threads{0};
  void visit() {
    MUSTER_REQUIRE(threads.fetch_add(1) == 0);
    threads.fetch_sub(1);
  }
};

template <class Lock>
void use_lock() {
  Lock lock;
  Inside inside;
  const auto critical = [&](int me) {
    lock.lock(me);
    inside.visit();
    lock.unlock(me);
  };
  std::thread a{critical, 0}, b{critical, 1};
  a.join();
  b.join();
}

template <class Lock>
void try_lock() {
  Lock lock;
  Inside inside;
  const auto critical = [&](int me) {
    if (!lock.try_lock(me)) return;
    inside.visit();
    lock.unlock(me);
  };
  std::thread a{critical, 0}, b{critical, 1};
  a.join();
  b.join();
}

}  // namespace

MUSTER_SCENARIO(peterson_seq_cst) { use_lock<Peterson<std::memory_order_seq_cst, std::memory_order_seq_cst>>(); }
MUSTER_SCENARIO(peterson_acquire) { use_lock<Peterson<std::memory_order_acquire, std::memory_order_release>>(); }
MUSTER_SCENARIO(dekker_flags_seq_cst) { try_lock<DekkerFlags<std::memory_order_seq_cst, std::memory_order_seq_cst>>(); }
MUSTER_SCENARIO(dekker_flags_acquire) { try_lock<DekkerFlags<std::memory_order_acquire, std::memory_order_release>>(); }
