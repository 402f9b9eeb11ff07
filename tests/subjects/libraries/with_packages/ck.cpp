// Concurrency Kit, whose headers are compiled with the check. With CK_USE_CC_BUILTINS its atomics are the compiler's,
// and with CK_MD_RMO its fences are there for all machines, not for this processor alone: so both are watched.
#include <spinlock/fas.h>

#include <thread>

#include "muster/scenario.hpp"

extern "C" {
#include <ck_barrier.h>
}

namespace {

template <class First, class Second>
void two(First first, Second second) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}

}  // namespace

MUSTER_SCENARIO(ck_spinlock) {
  ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
  int counter = 0;
  const auto count = [&] {
    ck_spinlock_fas_lock(&lock);
    ++counter;
    ck_spinlock_fas_unlock(&lock);
  };
  two(count, count);
  MUSTER_REQUIRE(counter == 2);
}

MUSTER_SCENARIO(ck_spinlock_forgotten) {
  ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
  int counter = 0;
  two(
      [&] {
        ck_spinlock_fas_lock(&lock);
        ++counter;
        ck_spinlock_fas_unlock(&lock);
      },
      [&] { ++counter; });
}

MUSTER_SCENARIO(ck_fences) {
  int message = 0;
  unsigned flag = 0;
  two(
      [&] {
        message = 1;
        ck_pr_fence_store();
        ck_pr_store_uint(&flag, 1);
      },
      [&] {
        if (ck_pr_load_uint(&flag) == 0) return;
        ck_pr_fence_load();
        MUSTER_REQUIRE(message == 1);
      });
}

// In the library, which is not watched: it is described.
MUSTER_SCENARIO(ck_barrier) {
  ck_barrier_centralized_t barrier = CK_BARRIER_CENTRALIZED_INITIALIZER;
  int values[2] = {};
  const auto exchange = [&](int me) {
    ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
    values[me] = 1;
    ck_barrier_centralized(&barrier, &state, 2);
    MUSTER_REQUIRE(values[1 - me] == 1);
  };
  two([&] { exchange(0); }, [&] { exchange(1); });
}
