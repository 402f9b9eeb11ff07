#pragma once
// Which threads of this process sleep, and cannot wake up by themselves? The kernel tells.

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace muster {

/// Looks at threads again and again: what the kernel tells about each is kept open from one look to the next.
class Sleepers {
 public:
  Sleepers() = default;
  ~Sleepers();
  Sleepers(const Sleepers&) = delete;
  Sleepers& operator=(const Sleepers&) = delete;

  /// Whether every thread that `concerns` is asleep in a wait without a timeout, and was so all the time between two
  /// looks at each of them: then nobody is left to wake any. Threads that are of no concern must outlive the call.
  /// False also where the kernel does not tell.
  bool all_asleep(const std::function<bool(pid_t)>& concerns);

  /// All threads of this process, now.
  static std::vector<pid_t> list_threads();

  /// The thread will be of no concern any more.
  void forget(pid_t thread);

 private:
  struct Files {
    int call = -1, switches = -1;
  };
  struct Look {
    pid_t thread;
    std::string call, switches;
  };

  bool look(pid_t thread, Look& result);

  std::vector<pid_t> threads_;  // of this process, as of the last listing
  std::map<pid_t, Files> files_;
};

}  // namespace muster
