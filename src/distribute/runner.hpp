#pragma once
// Runs one job at a time in a process of its own, which is spawned: a process that talks to other ranks must not fork.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "distribute/job.hpp"

namespace muster {

class Runner {
 public:
  /// Files are kept in a folder of its own, until the end.
  Runner();
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void start(const Job& job);
  bool is_busy() const { return process_ > 0; }
  /// Once it has ended.
  std::optional<JobEnd> poll();
  /// It is asked to stop and to say what is left.
  void stop();
  void kill();
  pid_t process() const { return process_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::string path(const char* name) const { return folder_ + "/" + name; }

  std::string folder_;
  pid_t process_ = -1;
  std::uint64_t id_ = 0;
  std::string output_;
  Clock::time_point started_;
};

}  // namespace muster
