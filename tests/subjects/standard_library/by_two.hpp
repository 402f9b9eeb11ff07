#pragma once
// What two threads do to something at the same time, without a lock or with one.

#include <mutex>
#include <thread>

struct Unprotected {
  template <class First, class Second>
  void operator()(First first, Second second) const {
    std::thread a{first}, b{second};
    a.join();
    b.join();
  }
};

struct Locked {
  template <class First, class Second>
  void operator()(First first, Second second) const {
    std::mutex mutex;
    const auto under_lock = [&mutex](auto act) {
      return [&mutex, act] {
        const std::lock_guard lock(mutex);
        act();
      };
    };
    Unprotected()(under_lock(first), under_lock(second));
  }
};

/// Two scenarios of a body that says `by_two(first, second)`: `name`, which races, and `name`_locked.
#define BY_TWO(name)                                      \
  template <class ByTwo>                                  \
  static void name##_by(ByTwo by_two);                    \
  MUSTER_SCENARIO(name) { name##_by(Unprotected()); }     \
  MUSTER_SCENARIO(name##_locked) { name##_by(Locked()); } \
  template <class ByTwo>                                  \
  static void name##_by(ByTwo by_two)
