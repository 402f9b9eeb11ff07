#pragma once
// What pthread mutexes are and answer.

#include <errno.h>
#include <pthread.h>

#include "runtime/sync.hpp"

namespace muster {

/// The kind that pthread_mutex_init or a static initialiser left in the object (PTHREAD_MUTEX_*_NP in its low bits).
inline sync::MutexType type_of(const pthread_mutex_t* mutex) {
  constexpr int robust = 16;
  const bool outlives_owner = (mutex->__data.__kind & robust) != 0;
  switch (mutex->__data.__kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE_NP:
      return {sync::MutexKind::recursive, outlives_owner};
    case PTHREAD_MUTEX_ERRORCHECK_NP:
      return {sync::MutexKind::checking, outlives_owner};
    default:
      return {sync::MutexKind::normal, outlives_owner};
  }
}

inline int error_of(sync::LockResult result) {
  using enum sync::LockResult;
  switch (result) {
    case taken:
      return 0;
    case busy:
      return EBUSY;
    case expired:
      return ETIMEDOUT;
    case deadlock:
      return EDEADLK;
    case not_owner:
      return EPERM;
    case owner_died:
      return EOWNERDEAD;
    case not_recoverable:
      return ENOTRECOVERABLE;
  }
  return 0;
}

}  // namespace muster
