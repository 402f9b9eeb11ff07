#pragma once
// Who runs right now: the program under the engine's control, or the runtime for itself.

#include <utility>

namespace muster {

/// Whether user code runs under the engine's control right now.
extern bool controlled;

/// While it lives, what is allocated is the runtime's own. Nobody may be switched to meanwhile.
class OwnWork {
 public:
  OwnWork() : was_(std::exchange(controlled, false)) {}
  ~OwnWork() { controlled = was_; }
  OwnWork(const OwnWork&) = delete;
  OwnWork& operator=(const OwnWork&) = delete;

 private:
  bool was_;
};

/// While 1, calls to the kernel that an execution makes are noticed, where the kernel can tell (see
/// instrument/traces.hpp): it reads this.
extern volatile char calls_are_noticed;

/// Off during a first, warming-up execution: what libraries keep for ever must not lie in memory that is rewound.
extern bool test_heap_in_use;

}  // namespace muster
