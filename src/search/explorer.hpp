#pragma once
// Explores a program in worker processes: passes with growing bounds, work shared among workers, crashes and hangs
// survived.

#include <functional>
#include <memory>
#include <span>

#include "base/halt.hpp"
#include "schedule/random_strategies.hpp"
#include "search/checkpoint.hpp"
#include "search/search.hpp"

namespace muster {

/// `predict` is for checks alone: it follows what a recorded execution lets expect.
enum class StrategyKind : std::uint8_t { depth_first, random, pct, pos, reduction, predict };

/// As the command line calls it.
const char* name(StrategyKind kind);
/// Whether it draws executions: then nothing is exhausted.
constexpr bool is_random(StrategyKind kind) {
  return kind == StrategyKind::random || kind == StrategyKind::pct || kind == StrategyKind::pos;
}

struct StrategyConfig {
  StrategyKind kind = StrategyKind::depth_first;
  unsigned preemptions = 2;  // the last bound; DepthFirstBounds::unbounded for none
  unsigned late_yields = 1;
  std::uint64_t seed = 1;
  std::uint64_t executions = 10'000;   // of a random search
  unsigned depth = 3;                  // PCT's
  Symmetry symmetry = Symmetry::none;  // of checks, under reduction
};

struct Coverage {
  Counters counters;
  DepthFirstBounds under_way;  // of the pass that was begun last
  unsigned preemptions = 0;    // the last bound that was exhausted, if any
  unsigned late_yields = 0;
  bool some_bound_exhausted = false;
  bool unbounded = false;  // no bound was asked for
  bool exhausted = false;  // everything that was asked for was explored
  bool sampled = false;    // all the random executions that were asked for were made
  bool out_of_time = false;
  bool all_schedules = false;  // and the bounds left nothing out
  unsigned passes = 0;
  double seconds = 0;
  double left = 0;             // executions that are still to be made, about; 0: none, or not known
  std::uint64_t findings = 0;  // so far, where whoever collects them says it
  Checkpoint rest;             // of a depth-first search that was stopped from outside or ran out of time: what is left
};

struct ExploreOptions {
  RuntimeOptions runtime;
  unsigned jobs = 1;
  Halt::Clock::time_point deadline = Halt::never;
  double hang_seconds = 10;                       // no step for so long is a possible hang
  Checkpoint resume;                              // go on from here, if it is not empty
  std::function<void(const Coverage&)> progress;  // called about four times a second
  std::function<bool()> interrupted;              // asked as often: true stops the search
};

/// Receives what tasks send, in the parent.
class Collector {
 public:
  virtual ~Collector() = default;
  virtual void message(std::span<const std::byte> message) = 0;
  /// A worker died in an execution (`signal`) or made no step for long (signal 0). True stops the search.
  virtual bool died(const Journal& journal, int signal, std::uint64_t execution) = 0;
};

/// Execution i of it depends on the seed and i alone.
std::unique_ptr<Strategy> make_random_strategy(const StrategyConfig& config, const NextNumber& next);

using MakeTask = std::function<std::unique_ptr<Task>(Channel&, std::uint64_t executions)>;

/// `racy_sites` is kept from pass to pass; where it grows, a pass begins anew.
Coverage explore(const Program& program, const StrategyConfig& strategy, const MakeTask& make_task,
                 Collector& collector, RacySites& racy_sites, const ExploreOptions& options);

}  // namespace muster
