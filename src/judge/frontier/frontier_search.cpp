#include "judge/frontier/frontier_search.hpp"

#include "judge/frontier/frontier_engine.hpp"
#include "judge/frontier/frontier_queue.hpp"
#include "judge/frontier/frontier_stack.hpp"
#include "judge/frontier/frontier_states.hpp"
#include "judge/frontier/frontier_sum.hpp"

namespace muster {
namespace {

/// By the number of places needed; nothing if there are too many.
template <class Object>
std::optional<Verdict> run_frontiers(const Binding& binding, std::span<const OperationId> ids, Object& object,
                                     const JudgeOptions& options) {
  const FrontierPlan plan(binding, ids, [&](Index op) { return object.is_deferred(op); });
  if (plan.slots <= 64) return FrontierSearch<Object, 1>(binding, ids, plan, object, options).run();
  if (plan.slots <= 256) return FrontierSearch<Object, 4>(binding, ids, plan, object, options).run();
  return std::nullopt;
}

}  // namespace

std::optional<Verdict> search_frontiers(const Binding& binding, std::span<const OperationId> ids,
                                        const JudgeOptions& options) {
  if (binding.spec().family() == Family::queue) {
    FrontierQueue queue(binding, ids);
    if (!queue.applies()) return std::nullopt;
    return run_frontiers(binding, ids, queue, options);
  }
  if (binding.spec().family() == Family::stack) {
    FrontierStack stack(binding, ids);
    return run_frontiers(binding, ids, stack, options);
  }
  if (binding.spec().sums() != Sums::none) {
    FrontierSum sum(binding, ids);
    if (sum.applies()) return run_frontiers(binding, ids, sum, options);
  }
  FrontierStates states(binding, ids);
  return run_frontiers(binding, ids, states, options);
}

}  // namespace muster
