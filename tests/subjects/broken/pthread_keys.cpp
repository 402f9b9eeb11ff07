// The key has no destructor: each thread leaves its value behind.
#include <pthread.h>

#include <muster/scenario.hpp>
#include <thread>

namespace {

class PerThread {
 public:
  PerThread() { pthread_key_create(&key_, nullptr); }
  ~PerThread() { pthread_key_delete(key_); }

  int& counter() {
    void* found = pthread_getspecific(key_);
    if (found == nullptr) {
      found = new int{0};
      pthread_setspecific(key_, found);
    }
    return *static_cast<int*>(found);
  }

 private:
  pthread_key_t key_;
};

}  // namespace

MUSTER_SCENARIO(pthread_keys) {
  PerThread counters;
  const auto count_to_two = [&] {
    ++counters.counter();
    MUSTER_REQUIRE(++counters.counter() == 2);
  };
  std::thread a{count_to_two}, b{count_to_two};
  a.join();
  b.join();
}
