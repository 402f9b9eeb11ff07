#include "judge/quasi.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "judge/linearizability.hpp"
#include "judge/parts.hpp"
#include "judge/search.hpp"
#include "spec/relaxed.hpp"

namespace muster {
namespace {

/// The operations on one object, judged with one factor after the other.
class PartJudge {
 public:
  PartJudge(const History& history, const SpecPtr& spec, const QuasiFactors& factors, std::span<const OperationId> ids,
            const JudgeOptions& options)
      : history_(history),
        exact_(spec),
        binding_(history, *spec),
        factors_(factors),
        ids_(ids),
        options_(options),
        relaxes_object_(relaxes_removals_only(factors, *spec)) {}

  Verdict with(const QuasiFactors& factors) const {
    const unsigned factor = factors.largest();
    if (factor == 0) {
      if (ids_.size() == history_.size()) return judge_linearizability(history_, *exact_, options_);
      return judge_linearizability(history_.restricted_to(ids_), *exact_, options_);
    }
    if (!relaxes_object_) return search_window(binding_, ids_, factors, options_);
    const SpecPtr spec = relaxed(exact_, factor);
    return judge_relaxed(Binding(history_, *spec), ids_, options_);
  }

  QuasiVerdict run() const {
    QuasiVerdict result;
    result.operations = ids_.size();
    const Verdict exact = with(factors_.with(0));
    result.linearizable = passes(exact);
    if (result.linearizable) {
      result.smallest = 0;
    } else if (is_undecided(exact)) {
      result.undecided = std::get<Undecided>(exact).reason;
    } else {
      find_smallest(result);
    }
    const bool decided = result.smallest && is_uniform() && *result.smallest <= factors_.largest();
    result.verdict = decided ? Verdict(Witness{}) : with(factors_);
    if (result.smallest && *result.smallest > 0 && relaxes_object_) {
      const SpecPtr spec = relaxed(exact_, *result.smallest);
      result.overtakings = find_overtakings(Binding(history_, *spec), ids_, options_);
    }
    return result;
  }

 private:
  /// All relaxed classes have the same factor, so that the smallest one also decides the given ones.
  bool is_uniform() const { return factors_.with(factors_.largest()) == factors_; }

  /// Passing is monotone in the factor: it grows until something passes, and is then halved in.
  void find_smallest(QuasiVerdict& result) const {
    unsigned failing = 0;  // fails for sure
    if (relaxes_object_) failing = std::max(1u, least_factor(binding_, ids_)) - 1;
    const auto most = static_cast<unsigned>(ids_.size());
    unsigned passing = most + 1;
    const auto try_factor = [&](unsigned factor) {
      const Verdict verdict = with(factors_.with(factor));
      if (const auto* undecided = std::get_if<Undecided>(&verdict)) {
        result.undecided = undecided->reason;
        return false;
      }
      (passes(verdict) ? passing : failing) = factor;
      return true;
    };
    result.at_least = failing + 1;
    // What no factor explains is most often seen at once with the largest.
    if (failing + 1 < most && !could_pass()) return;
    for (unsigned step = 1; passing > most && failing < most; step *= 2) {
      if (!try_factor(std::min(most, failing + step))) return;
      result.at_least = failing + 1;
    }
    while (passing <= most && passing - failing > 1) {
      if (!try_factor(failing + (passing - failing) / 2)) return;
      result.at_least = failing + 1;
    }
    if (passing <= most) result.smallest = passing;
  }

  /// False where a monitor sees that even the largest factor explains nothing.
  bool could_pass() const {
    if (!relaxes_object_) return true;
    const SpecPtr spec = relaxed(exact_, static_cast<unsigned>(ids_.size()));
    const Binding binding(history_, *spec);
    return !fails_with_any_factor(binding, ids_);
  }

  const History& history_;
  SpecPtr exact_;
  Binding binding_;
  const QuasiFactors& factors_;
  std::span<const OperationId> ids_;
  const JudgeOptions& options_;
  bool relaxes_object_;
};

std::vector<Part> parts_of(const History& history, const Spec& spec, const JudgeOptions& options) {
  const Binding binding(history, spec);
  if (binding.has_keys() && options.split) return split_by_key(binding);
  return {{Value(), all_of(history)}};
}

}  // namespace

std::vector<QuasiVerdict> judge_quasi_keys(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                                           const JudgeOptions& options) {
  if (history.matrix()) fail("{}: quasi-linearizability is judged by calls and returns, not by a precedence matrix", history.source().name);
  std::vector<QuasiVerdict> verdicts;
  for (const Part& part : parts_of(history, *spec, options)) {
    verdicts.push_back(PartJudge(history, spec, factors, part.ids, options).run());
    verdicts.back().key = part.key;
  }
  return verdicts;
}

QuasiVerdict judge_quasi(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                         const JudgeOptions& options) {
  std::vector<QuasiVerdict> verdicts = judge_quasi_keys(history, spec, factors, options);
  if (verdicts.size() != 1) fail("{}: a history over {} objects; judge_quasi_keys splits it", history.source().name, verdicts.size());
  return std::move(verdicts.front());
}

Verdict judge_factors(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                      const JudgeOptions& options) {
  Verdict first = Witness{};
  for (const Part& part : parts_of(history, *spec, options)) {
    Verdict verdict = PartJudge(history, spec, factors, part.ids, options).with(factors);
    if (fails(verdict)) return verdict;
    if (is_undecided(verdict)) first = std::move(verdict);
  }
  return first;
}

}  // namespace muster
