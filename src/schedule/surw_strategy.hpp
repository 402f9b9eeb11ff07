#pragma once
// Selectively uniform random walk: all orders of the events that matter have about the same chance.

#include <array>
#include <map>

#include "schedule/random_strategies.hpp"

namespace muster {

/// Zhao, Wolff, Mathur, Roychoudhury, "Selectively Uniform Concurrency Testing" (ASPLOS 2025). In each execution some
/// events matter: those of one object that several threads touch. The thread whose event of that kind comes next is
/// drawn as often as it has such events left, its children's included; the others stop in front of theirs until then,
/// and all other events are scheduled as they come. How many events there are is what earlier executions had: the first
/// one is a plain random walk. One execution in a few draws all events so.
class SurwStrategy final : public SeededStrategy {
 public:
  using SeededStrategy::SeededStrategy;
  Manners manners() const override { return {.watches_events = true}; }
  void executed(const Event& event) override;
  void end_execution(const Schedule& schedule, Ending) override;

 private:
  using Counts = std::array<std::uint32_t, max_threads>;

  void prepare() override;
  std::uint8_t pick(const Point& point) override;
  bool matters(const Event& event) const { return all_ || (object_ != 0 && event.object == object_); }
  std::uint64_t weight(ThreadId thread) const;
  ThreadId draw_next(std::span<const Option> threads);
  void notice_threads(const Point& point);

  // ---- what earlier executions had ----

  std::map<ObjectId, Counts> most_;  // events of an object, by thread: the most that an execution had
  Counts most_of_all_{};
  std::array<ThreadId, max_threads> parents_{};
  unsigned most_threads_ = 0;

  // ---- the execution under way ----

  std::map<ObjectId, Counts> made_;
  Counts made_of_all_{};
  unsigned started_ = 1;
  bool all_ = false;
  ObjectId object_ = 0;
  Counts left_{};
  ThreadId next_ = no_thread;  // whose event comes next of those that matter
};

}  // namespace muster
