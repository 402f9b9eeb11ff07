// C11 threads; the value is looked at before the mutex is taken, so the signal can come before the wait.
#include <threads.h>

#include <muster/scenario.hpp>

namespace {

struct Slot {
  mtx_t mutex;
  cnd_t filled;
  int value = 0;
};

int fill(void* pointer) {
  auto& slot = *static_cast<Slot*>(pointer);
  mtx_lock(&slot.mutex);
  slot.value = 7;
  cnd_signal(&slot.filled);
  mtx_unlock(&slot.mutex);
  return 1;
}

int take(void* pointer) {
  auto& slot = *static_cast<Slot*>(pointer);
  mtx_lock(&slot.mutex);
  const bool empty = slot.value == 0;
  mtx_unlock(&slot.mutex);
  mtx_lock(&slot.mutex);
  if (empty) cnd_wait(&slot.filled, &slot.mutex);
  const int value = slot.value;
  mtx_unlock(&slot.mutex);
  return value;
}

}  // namespace

MUSTER_SCENARIO(c11_threads) {
  Slot slot;
  mtx_init(&slot.mutex, mtx_plain);
  cnd_init(&slot.filled);
  thrd_t filler, taker;
  thrd_create(&taker, take, &slot);
  thrd_create(&filler, fill, &slot);
  int taken = 0;
  thrd_join(taker, &taken);
  thrd_join(filler, nullptr);
  MUSTER_REQUIRE(taken == 7);
  cnd_destroy(&slot.filled);
  mtx_destroy(&slot.mutex);
}
