#include "memory/engine/runner.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "base/hash.hpp"
#include "reduction/reduction_strategy.hpp"
#include "runtime/memory.hpp"
#include "runtime/sync.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "schedule/random_strategies.hpp"
#include "search/search.hpp"

namespace muster::weak {
namespace {

// What an execution works on and comes to: reset at its start, and put back with it.
struct World {
  std::uint32_t atomics[location_count];
};
World world;
struct Log {
  Local at[most_threads];
};
Log reached;

const std::vector<ThreadCode>* code_under_test = nullptr;

muster::Order order_of(Order order) {
  constexpr muster::Order orders[] = {muster::Order::relaxed, muster::Order::acquire, muster::Order::release,
                                      muster::Order::acq_rel, muster::Order::seq_cst};
  return orders[static_cast<unsigned>(order)];
}

/// What the access reads; `fails` if it is an exchange that did.
Value make(const ThreadCode& code, const Local& local, SiteId site, bool& fails) {
  const Instruction& i = code.at(local);
  muster::Memory memory(*engine);
  std::uint32_t* const at = &world.atomics[i.location];
  switch (i.op) {
    case Op::fence:
      memory.fence(order_of(i.order), site);
      return 0;
    case Op::load:
      return static_cast<Value>(memory.load(at, order_of(i.order), site));
    case Op::store:
      memory.store(at, std::uint32_t{code.access(local, 0).written}, order_of(i.order), site);
      return 0;
    default: {
      struct Change {
        const ThreadCode& code;
        const Local& local;
        bool may_fail;
        std::optional<std::uint32_t> operator()(std::uint32_t old) const {
          const auto access = code.access(local, static_cast<Value>(old));
          return access.writes ? std::optional(std::uint32_t{access.written}) : std::nullopt;
        }
      };
      const auto updated =
          memory.rmw(at, order_of(i.order), order_of(i.failure), site, Change{code, local, i.spurious});
      fails = !updated.wrote;
      return static_cast<Value>(updated.old);
    }
  }
}

void* run_thread(void* number) {
  const auto thread = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(number));
  const ThreadCode& code = (*code_under_test)[thread];
  Local& local = reached.at[thread];
  while (!code.at_end(local)) {
    const SiteId site = 1000 * (thread + 1) + local.pc;
    bool fails = false;
    const Value read = make(code, local, site, fails);
    local = code.after(local, code.access(local, read, fails));
  }
  return nullptr;
}

void run_program(void*) {
  std::memset(&world, 0, sizeof world);
  const auto count = static_cast<unsigned>(code_under_test->size());
  for (unsigned t = 0; t < count; ++t) reached.at[t] = (*code_under_test)[t].settle({});
  for (std::uintptr_t t = 0; t < count; ++t)
    engine->blocking().join_later(engine->spawn(&run_thread, reinterpret_cast<void*>(t), 0).id);
  engine->blocking().join_all();
}

std::uint64_t place_of(unsigned thread) {
  if (thread == 0) return 0;
  const ThreadCode& code = (*code_under_test)[thread - 1];
  if (code.at_end(reached.at[thread - 1])) return 1;
  const Local live = code.live(reached.at[thread - 1]);
  std::uint64_t hash = live.pc + 2;
  for (const Value value : live.regs) hash = mix(hash, value);
  return hash;
}

Outcome outcome_of_execution() {
  Outcome outcome;
  for (Location at = 0; at < location_count; ++at) outcome.memory[at] = static_cast<Value>(world.atomics[at]);
  for (std::size_t t = 0; t < code_under_test->size(); ++t) {
    const ThreadCode& code = (*code_under_test)[t];
    const Local& local = reached.at[t];
    if (code.at_end(local)) {
      outcome.threads.push_back(Outcome::finished(local));
    } else {
      outcome.threads.push_back({true, find_circle(code, local, outcome.memory).least});
    }
  }
  return outcome;
}

class Gatherer final : public Task, Observer {
 public:
  explicit Gatherer(Explored& explored) : explored_(explored) {}
  Observer& observer() override { return *this; }
  bool end_execution(const Execution& execution, const Schedule& schedule, Engine&) override {
    if (execution.ending == Ending::abandoned) return true;
    if (execution.ending == Ending::cut) explored_.trouble = "cut";
    if (execution.ending == Ending::incident) return false;
    explored_.older += std::ranges::any_of(schedule.decisions(), [](const Decision& decision) {
      return decision.kind == PointKind::message && decision.index > 0;
    });
    explored_.outcomes.insert(outcome_of_execution());
    return true;
  }

 private:
  bool goes_back() const noexcept override { return true; }
  void incident(const Incident& incident) noexcept override { explored_.trouble = incident.message; }

  Explored& explored_;
};

struct Place {
  std::unique_ptr<Journal> journal = std::make_unique<Journal>();
  RacySites racy_sites;
  Engine engine{RuntimeOptions{}, *journal, racy_sites, preferred_context_mode()};

  Place() {
    const std::span memory(reinterpret_cast<std::byte*>(&world), sizeof world);
    engine.races().arena().watch(memory);
    engine.surroundings().restorer().snapshot({memory});
    engine.surroundings().at_start(sync::reset);
    engine.surroundings().add_state(sync::state_hash);
    if (preferred_context_mode() != ContextMode::fiber) return;
    engine.surroundings().add_rewindable({[] { return true; }, sync::pass});
    engine.surroundings().add_rewindable({[] { return true; }, [](Tape& tape) { tape.pass(reached); }});
    engine.going_back().allow();
  }
};

Explored explore_by(const std::function<std::unique_ptr<Strategy>()>& make, const Program& program,
                    const RuntimeOptions& options, std::uint64_t most_executions) {
  static Place place;
  const std::vector<ThreadCode> code = threads_of(program);
  code_under_test = &code;
  place.engine.set_options(options);
  place.racy_sites = RacySites{};
  const muster::Program runnable{run_program, nullptr, place_of};
  for (;;) {
    Explored explored;
    Gatherer task(explored);
    Counters counters;
    Interruption patient;
    const auto strategy = make();
    const SearchEnd end = search(place.engine, *place.journal, runnable, *strategy, task, counters,
                                 {.executions = most_executions}, patient);
    if (end == SearchEnd::learned) continue;
    explored.executions = counters.executions;
    explored.exhausted = end == SearchEnd::exhausted;
    return explored;
  }
}

}  // namespace

Explored explore(const Program& program, const RuntimeOptions& options, std::uint64_t most_executions) {
  constexpr DepthFirstBounds none{DepthFirstBounds::unbounded, DepthFirstBounds::unbounded};
  return explore_by([&] { return std::make_unique<DepthFirstStrategy>(none); }, program, options, most_executions);
}

Explored explore_classes(const Program& program, const RuntimeOptions& options, bool every_thread,
                         std::uint64_t most_executions) {
  const ReductionConfig config{.every_thread = every_thread};
  return explore_by([&] { return std::make_unique<ReductionStrategy>(config); }, program, options, most_executions);
}

Explored sample(const Program& program, const RuntimeOptions& options, std::uint64_t seed, std::uint64_t executions) {
  const auto make = [&] {
    return std::make_unique<RandomWalkStrategy>(seed, [number = std::uint64_t{0}, executions]() mutable {
      return number < executions ? std::optional(number++) : std::nullopt;
    });
  };
  return explore_by(make, program, options, executions);
}

}  // namespace muster::weak
