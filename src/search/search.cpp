#include "search/search.hpp"

#include <time.h>

#include <utility>
#include <vector>

#include "reduction/replay_strategy.hpp"
#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

// Asking for the time costs as much as a tenth of a short execution.
constexpr std::uint64_t look_at_time_every = 64;
constexpr std::uint64_t many_steps = 20'000;  // unless they are long

void count(Counters& counters, const Execution& execution, std::uint32_t decisions) {
  ++counters.executions;
  counters.decisions += decisions;
  counters.stuck += execution.ending == Ending::stuck;
  counters.cut += execution.ending == Ending::cut;
  counters.abandoned += execution.ending == Ending::abandoned;
  each_own_count([](const char*, auto& sum, const auto& one) { sum += one; }, counters, execution);
}

void note_cuts(Counters& counters, const Traversal* traversal) {
  if (!traversal) return;
  counters.cut_by_preemptions |= traversal->left_out().preemptions;
  counters.cut_by_late_yields |= traversal->left_out().late_yields;
}

}  // namespace

double cpu_seconds_of_this_process() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void Counters::add(const Counters& other) {
  Tally::add(other);
  share_done = other.share_done;
  cut_by_preemptions |= other.cut_by_preemptions;
  cut_by_late_yields |= other.cut_by_late_yields;
}

namespace {

void run_unseen(Engine& engine, Journal& journal, const Program& program, Strategy& strategy) {
  class Nobody final : public Observer {};
  Nobody nobody;
  const RuntimeOptions options = engine.options();
  RuntimeOptions quiet = options;
  quiet.races = false;
  engine.set_options(quiet);
  test_heap_in_use = false;
  strategy.begin_execution(journal.schedule);
  engine.execute(program, strategy, nobody);
  test_heap_in_use = true;
  engine.set_options(options);
  journal.executions = 0;
}

void run_along(Engine& engine, Journal& journal, const Program& program, std::span<const Decision> schedule) {
  ReplayStrategy strategy({schedule.begin(), schedule.end()});
  run_unseen(engine, journal, program, strategy);
}

}  // namespace

void warm_up(Engine& engine, Journal& journal, const Program& program) {
  DepthFirstStrategy first({.preemptions = 0, .late_yields = 0});
  run_unseen(engine, journal, program, first);
  engine.surroundings().lasting_data().changed();
}

void warm_up(Engine& engine, Journal& journal, const Program& program, std::span<const Decision> schedule) {
  run_along(engine, journal, program, schedule);
  engine.surroundings().lasting_data().changed();
}

bool was_set_up(const Execution& execution, Engine& engine, Journal& journal, const Program& program) {
  constexpr unsigned most_set_ups = 4;
  if (!execution.diverged_at || journal.set_ups >= most_set_ups) return false;
  const auto decisions = journal.schedule.decisions();
  const std::vector<Decision> followed(decisions.begin(), decisions.end());
  const std::span<const Decision> repeated = std::span(followed).first(*execution.diverged_at);
  // It may have been recorded with the library set up, and here that is still to come.
  run_along(engine, journal, program, repeated);
  const bool changed = engine.surroundings().lasting_data().changed();
  journal.schedule.assign(changed ? repeated : std::span<const Decision>(followed));
  if (!changed) return false;
  ++journal.set_ups;
  return true;
}

SearchEnd search(Engine& engine, Journal& journal, const Program& program, Strategy& strategy, Task& task,
                 Counters& counters, const SearchLimits& limits, Interruption& interruption) {
  std::uint64_t counted = journal.steps;
  const double started = cpu_seconds_of_this_process();
  const Traversal* const traversal = strategy.traversal();
  const auto can_pause = [=] { return !traversal || traversal->can_pause(); };
  const auto finish = [&](SearchEnd end) {
    counters.cpu_seconds += cpu_seconds_of_this_process() - started;
    note_cuts(counters, traversal);
    return end;
  };
  std::uint64_t looked_at = journal.steps;
  bool late = false;
  for (std::uint64_t n = 0; strategy.begin_execution(journal.schedule); ++n) {
    note_cuts(counters, traversal);  // whoever goes on where this process ends must know
    task.begin_execution();
    const Execution execution = engine.execute(program, strategy, task.observer());
    count(counters, execution, journal.schedule.size());
    counters.steps += journal.steps - std::exchange(counted, journal.steps);
    if (was_set_up(execution, engine, journal, program)) [[unlikely]]
      return finish(SearchEnd::learned);
    if (!task.end_execution(execution, journal.schedule, engine)) return finish(SearchEnd::stopped);
    if (execution.learned) return finish(SearchEnd::learned);
    if (!interruption.go_on(strategy, journal.schedule) && can_pause()) return finish(SearchEnd::stopped);
    if (n + 1 >= limits.executions) return finish(SearchEnd::out_of_time);
    if (n % look_at_time_every == 0 || journal.steps - looked_at > many_steps) {
      looked_at = journal.steps;
      counters.share_done = traversal ? traversal->share_done(journal.schedule) : 0;
      late = std::chrono::steady_clock::now() > limits.deadline;
    }
    if (late && can_pause()) return finish(SearchEnd::out_of_time);
  }
  return finish(SearchEnd::exhausted);
}

}  // namespace muster
