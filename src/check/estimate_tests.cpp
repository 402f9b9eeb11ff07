#include "check/estimate_tests.hpp"

#include <algorithm>
#include <vector>

#include "search/estimate.hpp"

namespace muster {
namespace {

constexpr std::uint64_t most_drawn = 8;
constexpr std::uint64_t most_tests = 1'000'000;  // beyond that, they grow without end

/// Where a check is judged by what it does serially, that is observed first.
double serial_executions(const CheckDefinition& check, const CheckRunOptions& options, const Test& test) {
  const bool observed = !check.modelled() && !check.synchronisation && !options.check.record;
  return observed ? static_cast<double>(serial_orders(test)) : 0;
}

}  // namespace

TestsEstimate estimate_tests(const CheckDefinition& check, const TestSource& source, const CheckRunOptions& options,
                             Halt::Clock::duration patience, double seconds) {
  if (source.count == 0 || source.count > most_tests) return {};
  const std::uint64_t drawn = std::min(source.count, most_drawn);
  const StrategyConfig& strategy = options.check.strategy;
  std::vector<Test> tests;
  for (std::uint64_t i = 0; i < drawn; ++i) tests.push_back(source.test(i * source.count / drawn));
  const auto work = [&](Engine& engine, Journal& journal, RacySites& sites) {
    double sum = 0;
    for (const Test& test : tests) {
      Columns columns(check, test);
      const Program program = columns.program();
      sites = RacySites{};
      warm_up(engine, journal, program);
      const double one = estimate_executions(EstimateBench{engine, journal, sites, program}, strategy,
                                             {.seconds = seconds / static_cast<double>(drawn)});
      if (one == 0) return 0.0;
      sum += one;
    }
    return sum;
  };
  const double for_each = static_cast<double>(source.count) / static_cast<double>(drawn);
  TestsEstimate estimate{.concurrent = for_each * estimate_in_worker(RacySites{}, options.runtime, patience, work)};
  for (const Test& test : tests) estimate.serial += for_each * serial_executions(check, options, test);
  return estimate;
}

}  // namespace muster
