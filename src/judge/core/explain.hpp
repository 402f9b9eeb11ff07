#pragma once
// Why a history fails, in as few operations as show it; and how far clocks must be off to explain it.

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/core/linearizability.hpp"

namespace muster {

/// A part of a history that fails by itself: operations on some values or keys, cut off at a moment. Nothing smaller of
/// this kind fails: without any one of its values it passes, and so does what happened before the moment.
struct Core {
  std::vector<OperationId> operations;  ///< in the order of their calls
  OperationId misfit = 0;               ///< the one whose return has no explanation
  Position cut = never;                 ///< the return of the misfit; what returns later counts as pending
  bool irreducible = true;              ///< false if a limit was hit on the way
};

/// The core of a failing history. Only what leaves a failure a proof is taken out: for containers and registers all
/// operations on a value, for keyed objects whole keys, and for all specs operations that never change the object.
std::optional<Core> find_core(const History& history, const Spec& spec, const Counterexample& failing,
                              const JudgeOptions& options = {});

/// The part of the history that a core stands for.
History core_history(const History& history, const Core& core);

/// The history as seen by clocks that may differ by up to `skew`: an operation precedes another only if more than that
/// lies between them. Needs recorded times.
History with_skew(const History& history, std::int64_t skew);

/// The smallest skew that explains a history with times that fails without; nothing if none does, or a limit was hit.
std::optional<std::int64_t> smallest_skew(const History& history, const Spec& spec, const JudgeOptions& options = {});

}  // namespace muster
