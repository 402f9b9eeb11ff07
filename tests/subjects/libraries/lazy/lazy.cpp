// A library as others build theirs, without instrumentation: it sets itself up at its first use, under its own lock.
#include "lazy.hpp"

#include <pthread.h>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
bool ready = false;

}  // namespace

void use_lazily() {
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) return;
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&ready, true, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
}
