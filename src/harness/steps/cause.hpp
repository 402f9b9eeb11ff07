#pragma once
// The cause of a failure, as far as executions near it show it.

#include <functional>
#include <optional>

#include "harness/options/options.hpp"
#include "harness/steps/replayed.hpp"
#include "harness/steps/steps.hpp"
#include "search/cause_search.hpp"
#include "search/slot.hpp"

namespace muster {

/// The execution that fails.
struct FailingExecution {
  const Replayed& replayed;
  const std::vector<Decision>& schedule;
  const std::vector<std::uint32_t>& racy_sites;
  std::vector<std::uint32_t> shown_sites = {};  // that are among the events of `replayed`, and no points
};

/// By the numbers of events.
struct Cause {
  struct Order {
    std::size_t first, second;
  };
  std::optional<std::size_t> no_return;  // after it, no schedule comes out right
  std::optional<Order> decides;          // the other way round, the execution comes out right
  bool hopeless = false;                 // no schedule comes out right
};

/// In a worker: makes what says which executions come out right, and has it used.
using Refereeing =
    std::function<void(Engine& engine, WorkerSlot& slot, const std::function<void(const Program&, Referee&)>& use)>;

/// Whether what went wrong depends on the order of steps, as far as one can say.
bool may_have_cause(FindingKind kind);

Cause find_cause(const FailingExecution& failing, const HarnessOptions& options, const Refereeing& refereeing);
/// The same for the program of a scenario.
Cause find_cause(const FailingExecution& failing, const HarnessOptions& options, const Program& program);

/// Marks the steps, one for each event, and says the cause in a sentence; empty if none is known.
std::string tell_cause(const Cause& cause, std::vector<Step>& steps);

}  // namespace muster
