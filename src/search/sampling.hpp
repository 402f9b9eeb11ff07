#pragma once
// The executions that a portfolio draws beside its search, by the worker that has the subject: some before anything
// else, then as many as the search has made, up to a number, and fewer from there on. So what one of the two finds at
// once waits for little of the other, and where there is a lot to search drawing costs little.

#include "search/slot.hpp"
#include "search/strategy_config.hpp"

namespace muster {

class Sampling {
 public:
  enum class Drew : std::uint8_t {
    all,      // that were due
    learned,  // all, and what the search did not take into account before
    finding,
    stopped,  // from outside
    out_of_time,
  };
  struct Place {
    Engine& engine;
    WorkerSlot& slot;
    const Program& program;
    Task& task;
    const StrategyConfig& strategy;
    std::chrono::steady_clock::time_point deadline;
    Interruption& interruption;
  };
  /// Numbers of executions, which go on from run to run.
  Sampling(const Place& place, std::uint64_t& drawn, std::uint64_t& searched);

  bool is_asked_for() const { return place_.strategy.kind == StrategyKind::portfolio; }
  /// The search has made an execution.
  void searched() { ++searched_; }
  bool is_due() const { return is_asked_for() && has_choices_ && drawn_ + step() <= wanted(); }
  /// Draws as many as are due. The schedule of the search is aside until then, unless one of them ends everything: then
  /// that one's schedule stays.
  Drew draw();
  /// The same between two executions of a search, which counts steps and time by itself.
  Drew draw_between();

 private:
  Drew draw_due();
  bool between_ = false;
  void count(Counters counters);
  std::uint64_t wanted() const;
  std::uint64_t step() const;

  Place place_;
  std::uint64_t& drawn_;
  std::uint64_t& searched_;
  std::uint64_t limit_ = 0;
  bool has_choices_ = true;
  std::unique_ptr<Strategy> strategy_;
};

}  // namespace muster
