#pragma once
// The general searches. They decide any spec, in time that is exponential in the overlap at worst.

#include <span>
#include <vector>

#include "judge/core/options.hpp"
#include "judge/core/verdict.hpp"
#include "judge/quasi/out_of_turn.hpp"
#include "spec/quasi_factors.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Just-in-time search over calls and returns (Lowe, "Testing for linearizability", 2017): an operation is linearized
/// only when a return forces one. `ids` belong to one key, or to all with `whole`. Precedence is that of positions.
Verdict search_intervals(const Binding& binding, std::span<const OperationId> ids, bool whole,
                         const JudgeOptions& options);

/// What must come before what, given as chains: the operations of a chain are ordered, and each may also wait for
/// others.
struct ChainOrder {
  std::vector<std::vector<OperationId>> chains;
  std::vector<std::vector<OperationId>>
      before;  ///< by operation: those of other chains that precede it; empty: no operation waits
};

/// Search over any partial order, for precedence that is no interval order. A configuration is how far each chain has
/// come.
Verdict search_chains(const Binding& binding, const ChainOrder& order, const JudgeOptions& options);

/// Search for two orders that are legal together (quasi-linearizability, Definition 4 of Round-Up): one keeps
/// precedence, the other is legal for the spec, both have operations of the same class at each position, and no
/// operation moves further than its class allows, counted within the class. `displaced`, if given, is told what moved.
Verdict search_window(const Binding& binding, std::span<const OperationId> ids, const QuasiFactors& factors,
                      const JudgeOptions& options, std::vector<OutOfTurn>* displaced = nullptr);

}  // namespace muster
