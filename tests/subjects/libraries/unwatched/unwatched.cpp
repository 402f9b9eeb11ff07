#include "unwatched.hpp"

#include <pthread.h>
#include <sched.h>

namespace unwatched {

void lock(int* word) {
  while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
}

void unlock(int* word) { __atomic_store_n(word, 0, __ATOMIC_RELEASE); }

void lock_described(int* word) { lock(word); }
void unlock_described(int* word) { unlock(word); }

long fill(void* items, unsigned long count, unsigned long size) {
  __builtin_memset(items, 1, count * size);
  return static_cast<long>(count * size);
}
void copy(void* to, const void* from, unsigned long size) { __builtin_memcpy(to, from, size); }

void with_lock(int* word, void (*function)(void*), void* argument) {
  while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
  function(argument);
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

void set(int* flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }
bool is_set(const int* flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0; }
void await(const int* flag) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) sched_yield();
}

int load(const std::atomic<int>& word) { return word.load(); }
void store(std::atomic<int>& word, int value) { word.store(value); }

const Operations* operations() {
  static constexpr Operations all{[](int* word) { lock(word); }, [](int* word) { unlock(word); }};
  return &all;
}

namespace {

class HiddenLock final : public Lock {
 public:
  void lock() override { unwatched::lock(&word_); }
  void unlock() override { unwatched::unlock(&word_); }

 private:
  int word_ = 0;
};

}  // namespace

Lock* make_lock() { return new HiddenLock; }

std::shared_ptr<std::string> make_text() { return std::make_shared<std::string>("a text that lies on the heap"); }
void drop(std::shared_ptr<std::string> text) { text.reset(); }

Worker::Worker(void (*function)(void*), void* argument) : function_(function), argument_(argument) {
  pthread_create(&thread_, nullptr, run, this);
}
Worker::~Worker() { pthread_join(thread_, nullptr); }
void Worker::wait() const {
  while (__atomic_load_n(&done_, __ATOMIC_ACQUIRE) == 0) sched_yield();
}
void* Worker::run(void* self) {
  auto& worker = *static_cast<Worker*>(self);
  worker.function_(worker.argument_);
  __atomic_store_n(&worker.done_, 1, __ATOMIC_RELEASE);
  return nullptr;
}

int nothing(int value) { return value; }

long sum(int a, int b, int c, int d, int e, int f, int g, int h, double x, double y, const Large by_value, char last) {
  long all = a + b + c + d + e + f + g + h + static_cast<long>(x + y) + last;
  for (const long number : by_value.numbers) all += number;
  return all;
}
long sum_of(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  double all = 0;
  for (int i = 0; i < count; ++i) all += va_arg(arguments, double);
  va_end(arguments);
  return static_cast<long>(all);
}
Pair pair_of(double first, long second) { return {first, second}; }
Large large_of(long first, long step) {
  Large made{};
  for (long& number : made.numbers) {
    number = first;
    first += step;
  }
  return made;
}
long double half(long double number) { return number / 2; }
void throw_number(int number) { throw number; }

}  // namespace unwatched
