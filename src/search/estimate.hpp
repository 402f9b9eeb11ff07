#pragma once
// How many executions a search would make, before it makes them: by drawing some of them.

#include <chrono>
#include <functional>

#include "base/halt.hpp"
#include "search/search.hpp"
#include "search/strategy_config.hpp"

namespace muster {

/// The tree of a program, at the point of being searched.
struct EstimateBench {
  Engine& engine;
  Journal& journal;
  RacySites& racy_sites;  // those that are met are added
  const Program& program;
};

/// Whichever is reached first; at least one execution is drawn in each pass of the search.
struct EstimateLimits {
  double seconds = 0.25;             // of the processor
  std::uint64_t executions = 3'000;  // so that where there is time for them the answer is always the same
};

/// In a worker, after its warm-up: how many executions the search makes; how many complete ones, if it is reduced. 0 if
/// nothing can be said, as of a reduced search with a bound. A random search has as many as were asked for.
double estimate_executions(const EstimateBench& bench, const StrategyConfig& strategy, const EstimateLimits& limits);

/// An execution that is drawn may have no end.
constexpr std::chrono::seconds patience_with_estimates{5};

/// Runs `work` in a worker of its own, so that nothing an execution does can harm, and gives back what it returns; 0 if
/// it does not return in time.
double estimate_in_worker(const RacySites& racy_sites, const RuntimeOptions& options, Halt::Clock::duration patience,
                          const std::function<double(Engine&, Journal&, RacySites&)>& work);

/// The same for one program that is not yet warm.
double estimate_executions(const Program& program, const StrategyConfig& strategy, const RacySites& racy_sites,
                           const RuntimeOptions& options, Halt::Clock::duration patience = patience_with_estimates);

/// What is left to do of `estimated`: executions, or complete ones of which `complete` were made among `executions`.
/// Where the estimate was too low, the share of the search that is done tells.
double executions_left(double estimated, std::uint64_t complete, std::uint64_t executions, double share_done);

/// For a report; as many as fit.
std::uint64_t whole_number(double estimate);

}  // namespace muster
