// Searches of small programs, all on one engine in this process.

#include <algorithm>
#include <deque>
#include <utility>

#include "base/rng.hpp"
#include "base/shared_memory.hpp"
#include "division/divide.hpp"
#include "search/findings.hpp"
#include "search/shared_tree.hpp"
#include "search/small_program.hpp"

namespace muster::test {
namespace {

class Outside final : public Task, Observer {
 public:
  Outside(const SmallProgram& program, Outcomes& outcomes) : program_(program), outcomes_(outcomes) {}
  Observer& observer() override { return *this; }
  bool end_execution(const Execution& execution, const Schedule&, Engine&) override {
    if (execution.ending == Ending::abandoned) {
      ++outcomes_.abandoned;
      return true;
    }
    ++outcomes_.complete;
    if (execution.ending != Ending::incident) outcomes_.set.insert(outcome_of(execution));
    return true;
  }

 private:
  bool goes_back() const noexcept override { return true; }
  void incident(const Incident& incident) noexcept override { outcomes_.set.insert(text_of(program_, incident)); }

  const SmallProgram& program_;
  Outcomes& outcomes_;
};

/// The engine that all programs run on.
struct Place {
  std::unique_ptr<Journal> journal = std::make_unique<Journal>();
  RacySites racy_sites;
  Engine engine{RuntimeOptions{}, *journal, racy_sites, preferred_context_mode()};
  Program program{};

  static Place& prepare(const SmallProgram& program, RuntimeOptions options) {
    static Place place;
    static const bool prepared = (prepare_for_small_programs(place.engine), true);
    (void)prepared;
    options.clock_points = true;
    place.engine.set_options(options);
    place.racy_sites = RacySites{};
    place.program = runnable(program);
    return place;
  }
};

class Patient final : public Interruption {};

/// A worker of a shared search: it has a schedule of its own, and a job or none.
struct TurnTaker {
  ReductionStrategy strategy;
  std::vector<Decision> schedule;
  bool busy = false;

  /// One execution, if there is something to do. True if it found a race that makes more points.
  bool take_turn(Place& place, SharedTree& tree, Task& task, Counters& counters) {
    if (!busy) {
      auto job = tree.try_to_take();
      if (!job) return false;
      strategy.begin_job(std::move(*job));
      schedule.clear();
      busy = true;
    }
    class Once final : public Interruption {
      bool go_on(Strategy&, Schedule&) override { return false; }
    } once;
    place.journal->schedule.assign(schedule);
    const SearchEnd end = search(place.engine, *place.journal, place.program, strategy, task, counters, {}, once);
    const auto decisions = place.journal->schedule.decisions();
    schedule.assign(decisions.begin(), decisions.end());
    if (end == SearchEnd::exhausted) {
      busy = false;
      strategy.end_job();
      tree.done();
    }
    return end == SearchEnd::learned;
  }

  /// The rest of its job becomes everybody's, as soon as that can be told.
  void give_up(Place& place, SharedTree& tree, Task& task, Counters& counters) {
    while (busy && !strategy.can_pause()) take_turn(place, tree, task, counters);
    if (!busy) return;
    place.journal->schedule.assign(schedule);
    strategy.give_up_job(place.journal->schedule);
    strategy.end_job();
    busy = false;
    tree.done();
  }
};

}  // namespace

Outcomes explore_all(const SmallProgram& program, const std::function<std::unique_ptr<Strategy>()>& make,
                     std::uint64_t most, const RuntimeOptions& options) {
  Place& place = Place::prepare(program, options);
  Outcomes outcomes;
  for (;;) {
    outcomes.executions = outcomes.complete = outcomes.abandoned = 0;
    Outside task(program, outcomes);
    Counters counters;
    Patient patient;
    const auto strategy = make();
    const SearchEnd end =
        search(place.engine, *place.journal, place.program, *strategy, task, counters, {.executions = most}, patient);
    outcomes.executions = counters.executions;
    outcomes.cut = counters.cut;
    outcomes.cut_by_preemptions = counters.cut_by_preemptions;
    if (end == SearchEnd::learned) continue;
    outcomes.exhausted = end == SearchEnd::exhausted;
    return outcomes;
  }
}

namespace {

/// Whoever works at a tree, and what comes of it.
struct Crew {
  Place& place;
  Task& task;
  Counters& counters;
  Rng& rng;
  ReductionConfig config;
  unsigned stop_once_in;  // so many turns; 0: never

  /// Until nothing is left, or it is stopped: then all that is left is in the tree. False if it met a race that makes
  /// more points.
  bool work(SharedTree& tree, unsigned workers) {
    std::deque<TurnTaker> crew;
    for (unsigned i = 0; i < workers; ++i) crew.push_back({ReductionStrategy(config, &tree), {}});
    bool stop = false;
    while (!stop && !tree.is_over()) {
      if (crew[rng.below(workers)].take_turn(place, tree, task, counters)) return false;
      stop = stop_once_in > 0 && rng.below(stop_once_in) == 0;
    }
    for (TurnTaker& worker : crew) worker.give_up(place, tree, task, counters);
    return true;
  }

  /// Some parts of what is left, each by itself and in any order. Nothing if a race was met.
  std::optional<std::vector<std::string>> work_at_parts(const std::vector<std::string>& left, unsigned count) {
    CheckpointText whole;
    for (const std::string& line : left) {
      if (whole.begun.empty()) whole.begun.emplace_back();
      whole.begun.front().nodes.push_back(NodeText::parse(line));
    }
    std::vector<CheckpointText> parts = divide(whole, count);
    for (CheckpointText& part : parts) {
      constexpr unsigned missing_once_in = 5;
      if (rng.below(missing_once_in) == 0) continue;
      const auto tree = make_shared_memory<SharedTree>();
      tree->start(1);
      std::vector<std::string> lines;
      for (const NodeText& node : part.begun.front().nodes) lines.push_back(node.line());
      tree->load(lines, true);
      if (!work(*tree, 1)) return std::nullopt;
      part.begun.front().nodes.clear();
      for (const std::string& line : tree->save()) part.begun.front().nodes.push_back(NodeText::parse(line));
      part.outcome = "done";
    }
    std::reverse(parts.begin(), parts.end());
    std::vector<std::string> rest;
    for (const NodeText& node : join(parts).rest.begun.front().nodes) rest.push_back(node.line());
    return rest;
  }
};

}  // namespace

Outcomes shared(const SmallProgram& program, const ReductionConfig& config, unsigned workers, std::uint64_t seed,
                unsigned stop_once_in, unsigned parts) {
  Place& place = Place::prepare(program, {.from_start = true});  // they take turns on one engine
  Rng rng(seed);
  Outcomes outcomes;
  Outside task(program, outcomes);
  Counters counters;
  Crew crew{place, task, counters, rng, config, stop_once_in};
  std::optional<std::vector<std::string>> saved{std::in_place};
  do {
    if (!saved) {  // it begins again
      outcomes.complete = outcomes.abandoned = 0;
      counters = {};
      saved.emplace();
    }
    if (parts > 0 && !saved->empty()) {
      saved = crew.work_at_parts(*saved, parts);
      continue;
    }
    const auto tree = make_shared_memory<SharedTree>();
    tree->start(workers);
    if (!saved->empty()) tree->load(*saved);
    if (crew.work(*tree, workers))
      saved = tree->save();
    else
      saved.reset();
  } while (!saved || !saved->empty());
  outcomes.executions = counters.executions;
  outcomes.exhausted = true;
  return outcomes;
}

Outcomes plain(const SmallProgram& program, unsigned bound) {
  const DepthFirstBounds bounds{bound, DepthFirstBounds::unbounded};
  return explore_all(
      program, [&] { return std::make_unique<DepthFirstStrategy>(bounds); }, most_interleavings);
}

Outcomes reduced(const SmallProgram& program, const ReductionConfig& config) {
  return explore_all(
      program, [&] { return std::make_unique<ReductionStrategy>(config); }, 4 * most_interleavings);
}

double estimated(const SmallProgram& program, const StrategyConfig& strategy, std::uint64_t draws) {
  Place& place = Place::prepare(program, {});
  return estimate_executions(EstimateBench{place.engine, *place.journal, place.racy_sites, place.program}, strategy,
                             {.seconds = 60, .executions = draws});
}

}  // namespace muster::test
