#pragma once
// Which threads of this process sleep, and cannot wake up by themselves? The kernel tells.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace muster {

/// What a thread must be like for others not to wait for it.
enum class Concern : std::uint8_t {
  none,             ///< whatever it does: it does not wake others
  sleeps,           ///< asleep, however long
  sleeps_for_ever,  ///< asleep, without a timeout
};

/// Looks at threads again and again: what the kernel tells about each is kept open from one look to the next.
class Sleepers {
 public:
  Sleepers() = default;
  ~Sleepers();
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;

  /// Whether every thread is asleep as far as it is of concern, and was so all the time between two looks at each of
  /// them, and some of them for ever: then nobody is left to wake any. Threads that are of no concern must outlive the
  /// call. False also where the kernel does not tell.
  bool all_asleep(const std::function<Concern(pid_t)>& concern_of);

  /// All threads of this process, now.
  static std::vector<pid_t> list_threads();

  /// The thread will be of no concern any more.
  void forget(pid_t thread);

 private:
  struct Files {
    int call = -1, switches = -1, state = -1;
  };
  struct Look {
    pid_t thread;
    Concern concern;
    std::string call, switches;
  };

  bool look(pid_t thread, Concern concern, Look& result);

  std::vector<pid_t> threads_;  // of this process, as of the last listing
  std::map<pid_t, Files> files_;
};

}  // namespace muster
