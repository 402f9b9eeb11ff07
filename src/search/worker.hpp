#pragma once
// One worker process.

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>

#include "base/channel.hpp"
#include "base/shared_memory.hpp"
#include "runtime/engine.hpp"

namespace muster {

class Worker {
 public:
  using Work = std::function<void(Engine&, Channel&)>;
  /// A message that begins so is an error: the rest says it.
  static constexpr char error_letter = '!';

  /// Forks; the child makes an engine with `journal`, runs `work` and exits. With `silent` the user's output goes
  /// nowhere.
  Worker(Journal& journal, RacySites& racy_sites, const RuntimeOptions& options, bool silent, const Work& work);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  Channel& channel() { return channel_; }
  Journal& journal() { return journal_; }

  /// Whether it made no step for `seconds` although it is in an execution; looks at the clock itself.
  bool hangs(double seconds);
  void kill();
  /// Waits for its end: the signal that ended it, or 0.
  int join();

 private:
  Journal& journal_;
  Channel channel_;
  pid_t pid_ = -1;
  std::uint64_t last_steps_ = 0;
  std::uint64_t last_executions_ = 0;
  std::chrono::steady_clock::time_point last_change_ = std::chrono::steady_clock::now();
};

}  // namespace muster
