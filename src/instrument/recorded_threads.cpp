#include "instrument/recorded_threads.hpp"

#include <sched.h>

#include <atomic>
#include <unordered_map>

#include "instrument/hook.hpp"
#include "instrument/outer_site.hpp"
#include "instrument/tap.hpp"
#include "record/hooks.h"

namespace muster {
namespace {

struct Start {
  void* (*function)(void*);
  void* argument;
  std::uint32_t number;
};

/// The numbers of threads that were not joined yet.
class Numbers {
 public:
  void set(pthread_t thread, std::uint32_t number) {
    const Lock lock(busy_);
    table()[thread] = number;
  }
  bool take(pthread_t thread, std::uint32_t& number) {
    const Lock lock(busy_);
    const auto found = table().find(thread);
    if (found == table().end()) return false;
    number = found->second;
    table().erase(found);
    return true;
  }

 private:
  // Not a mutex: locking one would be an event.
  struct Lock {
    explicit Lock(std::atomic_flag& flag) : flag(flag) {
      while (flag.test_and_set(std::memory_order_acquire)) sched_yield();
    }
    ~Lock() { flag.clear(std::memory_order_release); }
    std::atomic_flag& flag;
  };
  // Never destroyed: threads may outlive the program's statics.
  static std::unordered_map<pthread_t, std::uint32_t>& table() {
    static auto* const made = new std::unordered_map<pthread_t, std::uint32_t>;
    return *made;
  }
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

constinit Numbers numbers;

const void* place(SiteId site) { return reinterpret_cast<const void*>(tap::outer_site(site)); }

void* run(void* pointer) {
  const Start start = *static_cast<Start*>(pointer);
  delete static_cast<Start*>(pointer);
  numbers.set(pthread_self(), start.number);
  muster_record_thread_start(start.number);
  // Its end is recorded by the recorder's own key, after the destructors of thread-locals.
  return start.function(start.argument);
}

}  // namespace

int create_recorded_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument,
                           SiteId site) {
  auto* const handed_over = new Start{start, argument, muster_record_fork(place(site))};
  const int error = MUSTER_REAL(pthread_create)(thread, attributes, run, handed_over);
  if (error != 0) delete handed_over;
  return error;
}

int joined_recorded_thread(int error, pthread_t thread, SiteId site) {
  std::uint32_t number = 0;
  if (error == 0 && tap::on && numbers.take(thread, number)) muster_record_join(number, place(site));
  return error;
}

}  // namespace muster
