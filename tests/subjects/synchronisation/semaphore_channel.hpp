#pragma once
// A synchronous channel of semaphores (Lowe, Figure 5).
#include <atomic>
#include <muster/synchronisation.hpp>

#include "semaphore.hpp"

namespace subjects::synchronisation {

enum class SemaphoreChannelFault {
  kNone,
  kNoReply,           ///< The sender does not wait for the receiver: it can be gone before the receiver comes.
  kMutexGivenTooSoon  ///< The sender lets the next one in before its own value was read, and may get the next one's
                      ///< reply.
};

template <SemaphoreChannelFault fault = SemaphoreChannelFault::kNone>
class SemaphoreChannel {
 public:
  void send(int value) {
    mutex_.down();
    slot_.store(value);
    muster::signal_point(1);
    filled_.up();
    if constexpr (fault == SemaphoreChannelFault::kMutexGivenTooSoon) mutex_.up();
    if constexpr (fault != SemaphoreChannelFault::kNoReply) emptied_.down();
    muster::signal_back(1);
    if constexpr (fault != SemaphoreChannelFault::kMutexGivenTooSoon) mutex_.up();
  }

  int receive() {
    filled_.down();
    const int value = slot_.load();
    muster::signal_point(2);
    emptied_.up();
    return value;
  }

 private:
  Semaphore mutex_{1};
  Semaphore filled_{0};
  Semaphore emptied_{0};
  std::atomic<int> slot_{0};
};

}  // namespace subjects::synchronisation
