#pragma once
// When a search is to end before its end: at a deadline, or because somebody interrupts it. Its parent asks, whatever
// the workers do: one may be in an execution that takes long, or end with its process again and again.

#include <chrono>
#include <functional>
#include <optional>

namespace muster {

class Halt {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  explicit Halt(Clock::time_point deadline, std::function<bool()> interrupted = {})
      : deadline_(deadline), interrupted_(std::move(interrupted)) {}

  /// So long from now; 0: never.
  static Clock::time_point after(double seconds);

  /// Of several searches, one after the other, that have time until `end` together: the first may take an equal share.
  static Clock::time_point share(Clock::time_point end, std::size_t searches);

  /// Workers that are to stop do so between two executions, and keep what is left. Who has not by the end of the grace
  /// is killed.
  enum class Order : std::uint8_t { go_on, stop, kill };
  Order order();

  /// Whether the clock gave the order.
  bool is_late() const { return Clock::now() >= deadline_; }

  /// For a poll that would wait so long: it ends when the next order is due.
  int wait(int milliseconds) const;

  /// How long the parent may be busy with something else, at most `most`.
  Clock::duration time_for(Clock::duration most) const;

 private:
  /// Together with what ends a process, less than the two seconds by which a budget may be missed.
  static constexpr std::chrono::milliseconds grace{1300}, longest{1600};

  Clock::time_point next_order() const { return stopped_ ? *stopped_ + grace : deadline_; }

  Clock::time_point deadline_;
  std::function<bool()> interrupted_;
  std::optional<Clock::time_point> stopped_;
};

}  // namespace muster
