#pragma once
// Watches a piece of work of a command: a line of progress on a terminal, and Ctrl-C, which asks the work to end. What
// it found until then is told; a second Ctrl-C ends the command at once.

#include <functional>
#include <string>
#include <thread>

#include "base/meter.hpp"

namespace muster::cli {

/// While it lives, `meter` is shown as `describe` says, which is called on another thread. One at a time.
class Watch {
 public:
  Watch(Meter& meter, std::function<std::string(const Meter&, double seconds)> describe);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

 private:
  std::jthread shower_;
};

}  // namespace muster::cli
