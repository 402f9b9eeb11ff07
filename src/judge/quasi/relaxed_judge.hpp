#pragma once
// Judges relaxed queues, stacks and priority queues (spec/relaxed.hpp), and tells who overtook whom.

#include <optional>
#include <span>
#include <vector>

#include "judge/core/options.hpp"
#include "judge/core/verdict.hpp"
#include "judge/quasi/out_of_turn.hpp"
#include "spec/spec.hpp"

namespace muster {

/// `binding` is to a relaxed object. Values that repeat, pending removals that matter and looks at the first item go to
/// the general search, stacks and priority queues too.
Verdict judge_relaxed(const Binding& binding, std::span<const OperationId> ids, const JudgeOptions& options);

/// A factor below which nothing explains the operations; not always the largest such. Needs no search.
unsigned least_factor(const Binding& binding, std::span<const OperationId> ids);

/// Whether a monitor sees that no factor explains them: something comes out that is not inside, or "nothing there" is
/// answered while something is.
bool fails_with_any_factor(const Binding& binding, std::span<const OperationId> ids);

/// One item and the others it overtook, or was overtaken by, in some explanation.
struct Overtaking {
  OperationId insert = never;
  OperationId removal = never;        ///< `never`: it stays inside
  std::vector<OperationId> removals;  ///< of those that overtook it; or insertions of those it overtook
};

/// The item that was overtaken most often, the one that overtook most, and every removal that took another than the
/// first item, in an explanation with the factor of the binding's spec; nothing where nobody was overtaken, or no
/// explanation was found within the limits.
struct Overtakings {
  std::optional<Overtaking> overtaken, overtaker;
  std::vector<OutOfTurn> out_of_turn;
};
Overtakings find_overtakings(const Binding& binding, std::span<const OperationId> ids, const JudgeOptions& options);

}  // namespace muster
