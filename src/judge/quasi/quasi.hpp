#pragma once
// Is there an order of the operations that is legal but for a few that are out of turn, and how few will do?
//
//   const QuasiVerdict verdict = judge_quasi(history, queue_spec(), parse_factors("dequeue=2", *queue_spec()));

#include <optional>
#include <string>
#include <vector>

#include "judge/core/options.hpp"
#include "judge/core/verdict.hpp"
#include "judge/quasi/relaxed_judge.hpp"
#include "spec/quasi_factors.hpp"
#include "spec/spec.hpp"

namespace muster {

/// What became of the operations on one object.
struct QuasiVerdict {
  Value key;  ///< `none` where the history was not split
  std::size_t operations = 0;
  bool linearizable = false;
  Verdict verdict;  ///< for the factors that were given

  /// One number for all relaxed classes: the least that explains the operations. Nothing if none does, or if a limit
  /// was hit; `undecided` then says which, and the least lies between the two.
  std::optional<unsigned> smallest;
  unsigned at_least = 0;
  std::optional<unsigned> at_most;
  std::string undecided;

  /// In an explanation with the smallest factor; who overtook whom only where the object is a relaxed queue, stack or
  /// priority queue.
  Overtakings overtakings;

  /// No factor explains the operations.
  bool unexplainable() const { return !smallest && undecided.empty(); }
};

/// By object, in the order of their keys. Factors on the removals of a queue, stack or priority queue alone mean the
/// relaxed object of spec/relaxed.hpp; all others mean displaced operations (search_window).
std::vector<QuasiVerdict> judge_quasi_keys(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                                           const JudgeOptions& options = {});

/// The same for a history over one object. Throws Error if there are more.
QuasiVerdict judge_quasi(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                         const JudgeOptions& options = {});

/// The verdict for these factors alone, without looking for the smallest.
Verdict judge_factors(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                      const JudgeOptions& options = {});

}  // namespace muster
