#pragma once
// The one loop in which a parent waits for its worker processes, those that make executions and those that run real
// threads: it receives what they send, notices how they end and who hangs, and heeds the clock.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "base/halt.hpp"

namespace muster {

/// For workers whose steps nobody counts, and for those that may take as long as they like for one.
constexpr double never_hangs = 1e9;

/// What becomes of what workers do. Workers are known by their numbers.
struct Duties {
  std::function<void(std::span<const std::byte>)> message;
  std::function<void(const std::string&)> error = {};       // of a worker; thrown as an Error if this is empty
  std::function<void(std::size_t, ProcessEnd)> ended = {};  // another one may be started in its place
  std::function<void(Halt::Order)> ordered = {};            // again and again, once the search is to end
  std::function<void()> tick = {};                          // now and then
};

class Supervisor {
 public:
  static constexpr int tick_milliseconds = 200;

  /// No step for `hang_seconds` is a hang.
  Supervisor(Halt& halt, double hang_seconds, Duties duties)
      : halt_(halt), hang_seconds_(hang_seconds), duties_(std::move(duties)) {}

  void start(std::size_t number, std::unique_ptr<ChildProcess> worker);
  /// Until no worker is left.
  void watch();
  /// What it sent before is received.
  void kill(std::size_t number);
  bool is_at_work(std::size_t number) const { return number < workers_.size() && workers_[number]; }
  std::size_t count() const { return workers_.size(); }

 private:
  void wait() const;
  bool anybody() const;
  bool receive(std::size_t number);
  void look_at(std::size_t number);

  Halt& halt_;
  double hang_seconds_;
  Duties duties_;
  std::vector<std::unique_ptr<ChildProcess>> workers_;  // none where it has ended
};

/// The same for a single worker, which is killed as soon as `halt` gives an order.
ProcessEnd supervise(std::unique_ptr<ChildProcess> worker, Halt& halt, double hang_seconds, Duties duties);

}  // namespace muster
