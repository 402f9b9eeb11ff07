#include "search/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "base/archive.hpp"
#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "reduction/class_probe.hpp"
#include "schedule/probe_strategy.hpp"
#include "search/passes.hpp"
#include "search/worker.hpp"

namespace muster {
namespace {

constexpr std::uint64_t seed = 1975;

/// The mean of the weights of what was drawn in one pass of the search.
struct Drawn {
  double mean = 0;
  Traversal::LeftOut left_out;
  bool learned = false;
};

class Estimator {
 public:
  Estimator(const EstimateBench& bench, const StrategyConfig& strategy, const EstimateLimits& limits)
      : bench_(bench),
        strategy_(strategy),
        end_(cpu_seconds_of_this_process() + limits.seconds),
        executions_left_(limits.executions) {}

  double run() {
    Passes passes(strategy_);
    double sum = 0;
    for (bool more = true; more;) {
      const Drawn drawn = draw_pass(passes.bounds(), passes.most_left());
      sum += drawn.mean;
      more = passes.next(drawn.left_out);
    }
    return sum;
  }

 private:
  /// Begins anew whenever a race makes further accesses scheduling points: the tree is another one then.
  Drawn draw_pass(DepthFirstBounds bounds, unsigned passes_left) {
    const double now = cpu_seconds_of_this_process();
    until_ = now + (end_ - now) / passes_left;
    most_ = executions_left_ / passes_left;
    executions_left_ -= most_;
    Drawn drawn;
    do {
      drawn = strategy_.kind == StrategyKind::reduction ? draw_classes() : draw_plainly(bounds);
    } while (drawn.learned && cpu_seconds_of_this_process() < end_);
    return drawn;
  }

  Drawn draw_plainly(DepthFirstBounds bounds) {
    ProbeStrategy strategy(bounds, seed);
    return draw(strategy, [&] { return std::optional(strategy.weight()); });
  }

  Drawn draw_classes() {
    ReductionConfig config;
    config.symmetry = strategy_.symmetry;
    ClassProbe strategy(config, seed);
    return draw(strategy, [&] { return strategy.classes(); });
  }

  /// `weight` says what the last execution stands for, if it is one to be counted.
  template <class Weight>
  Drawn draw(Strategy& strategy, const Weight& weight) {
    class Nobody final : public Observer {};
    Nobody nobody;
    Drawn drawn;
    unsigned count = 0;
    for (std::uint64_t n = 0; n == 0 || (n < most_ && cpu_seconds_of_this_process() < until_); ++n) {
      strategy.begin_execution(bench_.journal.schedule);
      drawn.learned = bench_.engine.execute(bench_.program, strategy, nobody).learned;
      if (drawn.learned) return drawn;
      if (const std::optional<double> stands_for = weight()) drawn.mean += (*stands_for - drawn.mean) / ++count;
    }
    if (const Traversal* const traversal = strategy.traversal()) drawn.left_out = traversal->left_out();
    return drawn;
  }

  const EstimateBench& bench_;
  const StrategyConfig& strategy_;
  double end_, until_ = 0;  // of all passes, of this one: seconds that this process used
  std::uint64_t executions_left_, most_ = 0;
};

}  // namespace

double estimate_executions(const EstimateBench& bench, const StrategyConfig& strategy, const EstimateLimits& limits) {
  if (is_random(strategy.kind)) return static_cast<double>(strategy.executions);
  const bool unbounded = strategy.preemptions >= DepthFirstBounds::unbounded;
  if (strategy.kind == StrategyKind::reduction && !unbounded) return 0;
  return Estimator(bench, strategy, limits).run();
}

double estimate_in_worker(const RacySites& racy_sites, const RuntimeOptions& options, Halt::Clock::duration patience,
                          const std::function<double(Engine&, Journal&, RacySites&)>& work) {
  if (patience == patience.zero()) return 0;
  Halt halt(Halt::Clock::now() + patience);
  auto journal = make_shared_memory<Journal>();
  auto sites = make_shared_memory<RacySites>();
  *sites = racy_sites;
  auto worker = std::make_unique<Worker>(*journal, *sites, options, true, [&](Engine& engine, Channel& channel) {
    Archive message;
    message.put('r');  // it is no error
    message.put(work(engine, *journal, *sites));
    channel.send(message.bytes);
  });
  double result = 0;
  supervise(std::move(worker), halt, never_hangs,
            {.message = [&](std::span<const std::byte> message) { Archive(message.subspan(1)).field(result); },
             .error = [](const std::string&) {}});
  return result;
}

double estimate_executions(const Program& program, const StrategyConfig& strategy, const RacySites& racy_sites,
                           const RuntimeOptions& options, Halt::Clock::duration patience) {
  return estimate_in_worker(racy_sites, options, patience, [&](Engine& engine, Journal& journal, RacySites& sites) {
    warm_up(engine, journal, program);
    return estimate_executions(EstimateBench{engine, journal, sites, program}, strategy, {});
  });
}

std::uint64_t whole_number(double estimate) {
  return estimate >= 1e18 ? std::uint64_t{1'000'000'000'000'000'000}
                          : static_cast<std::uint64_t>(std::llround(estimate));
}

double executions_left(double estimated, std::uint64_t complete, std::uint64_t executions, double share_done) {
  const auto done = static_cast<double>(complete), all = static_cast<double>(executions);
  if (estimated > done) return complete > 0 ? (estimated - done) * (all / done) : estimated;
  return share_done > 0 && share_done < 1 ? all * (1 / share_done - 1) : 0;
}

}  // namespace muster
