#pragma once
// Is there an order of the operations, legal for the spec, in which no operation moves before one that had returned
// when it was called?
//
//   const Verdict verdict = judge_linearizability(history, *queue_spec());

#include <vector>

#include "judge/core/options.hpp"
#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Linearizable (Herlihy and Wing, 1990). Pending operations may take effect at any time after their call, or never.
Verdict judge_linearizability(const History& history, const Spec& spec, const JudgeOptions& options = {});

struct KeyVerdict {
  Value key;  ///< `none` where the history was not split
  std::size_t operations = 0;
  Verdict verdict;
};

/// What became of the keys: how many pass, and each of the others in the order of the keys.
struct KeySummary {
  std::size_t keys = 0;
  std::size_t passing = 0;
  std::size_t not_judged = 0;  ///< after the first that failed, if JudgeOptions::first_failure asked for no more
  std::vector<KeyVerdict> others;
  Witness witness;  ///< if all pass
};

/// The same, key by key: those that look cheap first, several at once.
KeySummary judge_keys(const History& history, const Spec& spec, const JudgeOptions& options = {});

/// Sequentially consistent (Lamport, 1979): the order keeps that of each process, and no other. Not local, so keys are
/// not split.
Verdict judge_sequential_consistency(const History& history, const Spec& spec, const JudgeOptions& options = {});

/// Quiescently consistent: operations are ordered where a moment without any open operation lies between them.
Verdict judge_quiescent_consistency(const History& history, const Spec& spec, const JudgeOptions& options = {});

/// Whether `order` really explains the history: every operation that returned is in it, none moves before one that
/// precedes it, and the spec accepts it. For witnesses from anywhere; shares no code with the searches.
bool is_witness(const History& history, const Spec& spec, std::span<const OperationId> order);

}  // namespace muster
