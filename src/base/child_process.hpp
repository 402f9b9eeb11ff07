#pragma once
// A process that does some work for this one, and sends it messages.

#include <sys/types.h>

#include <functional>

#include "base/channel.hpp"

namespace muster {

/// How it ended.
struct ProcessEnd {
  int signal = 0;
  int code = 0;          // its exit code, if no signal ended it
  bool hung = false;     // it was killed because it made no step for long
  bool stopped = false;  // it was killed because it was to end
  bool died() const { return hung || signal != 0; }
};

class ChildProcess {
 public:
  using Work = std::function<void(Channel&)>;
  /// A message that begins so is an error: the rest says it.
  static constexpr char error_letter = '!';

  /// Forks; the child runs `work` and exits. An Error that leaves `work` is sent as a message.
  explicit ChildProcess(const Work& work);
  virtual ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  Channel& channel() { return channel_; }

  /// Whether it made no step for `seconds` although it should; looks at the clock itself.
  virtual bool hangs(double /*seconds*/) { return false; }
  void kill();
  /// Waits for its end.
  virtual ProcessEnd join();

  /// In the child: ends it with an error, from any of its threads.
  [[noreturn]] static void give_up(Channel& channel, const char* why);

 private:
  Channel channel_;
  pid_t pid_ = -1;
};

}  // namespace muster
