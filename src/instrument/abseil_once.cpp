// How abseil waits for a word to change, as `absl::call_once` does where another thread is at it: its functions look at
// the program's atomic themselves.

#include "instrument/atomics.hpp"
#include "instrument/hook.hpp"

namespace muster {
namespace {

/// absl::base_internal::SpinLockWaitTransition
struct SpinLockWaitTransition {
  atomics::u32 from, to;
  bool done;
};

const SpinLockWaitTransition* transition_from(atomics::u32 value, int count, const SpinLockWaitTransition* all) {
  for (int i = 0; i < count; ++i) {
    if (all[i].from == value) return &all[i];
  }
  return nullptr;
}

}  // namespace

#define ABSEIL_SPIN_LOCK_WAIT \
  "_ZN4absl7debian313base_internal12SpinLockWaitEPSt6atomicIjEiPKNS1_22SpinLockWaitTransitionENS1_14SchedulingModeE"

// Until one of these changes can be made, and is.
MUSTER_HOOK atomics::u32 absl_spin_lock_wait(atomics::u32* word, int count, const SpinLockWaitTransition* all,
                                             int mode) asm(ABSEIL_SPIN_LOCK_WAIT);
MUSTER_HOOK atomics::u32 absl_spin_lock_wait(atomics::u32* word, int count, const SpinLockWaitTransition* all,
                                             int mode) {
  if (!controlled) return next_named<decltype(absl_spin_lock_wait)>(ABSEIL_SPIN_LOCK_WAIT)(word, count, all, mode);
  const SiteId site = MUSTER_SITE;
  for (;;) {
    atomics::u32 value = atomics::load(word, __ATOMIC_ACQUIRE, site);
    const SpinLockWaitTransition* const found = transition_from(value, count, all);
    if (!found) {
      sync::futex_wait(word, value, site, nullptr, ~atomics::u32{0});
      continue;
    }
    const bool made = found->to == value || atomics::compare_exchange_flag(word, &value, found->to, __ATOMIC_ACQUIRE,
                                                                           __ATOMIC_RELAXED, false, site);
    if (made && found->done) return value;
  }
}

MUSTER_HOOK void AbslInternalSpinLockWake_debian3(atomics::u32* word, bool all);
MUSTER_HOOK void AbslInternalSpinLockWake_debian3(atomics::u32* word, bool all) {
  if (!controlled)
    return next_named<decltype(AbslInternalSpinLockWake_debian3)>("AbslInternalSpinLockWake_debian3")(word, all);
  sync::futex_wake(word, all ? max_threads : 1, MUSTER_SITE, ~atomics::u32{0});
}

}  // namespace muster
