#include "judge/quasi/quasi.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "judge/core/linearizability.hpp"
#include "judge/core/parts.hpp"
#include "judge/core/search.hpp"
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

  Verdict with(const QuasiFactors& factors) const { return with(factors, options_); }

  QuasiVerdict run() const {
    QuasiVerdict result;
    result.operations = ids_.size();
    const Verdict exact = with(factors_.with(0));
    result.linearizable = passes(exact);
    if (result.linearizable) {
      result.smallest = 0;
      result.verdict = Witness{};
      return result;
    }
    result.verdict = with(factors_);
    find_smallest(result, fails(exact));
    if (const auto shown = result.smallest ? result.smallest : result.at_most) result.overtakings = overtakings(*shown);
    return result;
  }

 private:
  Overtakings overtakings(unsigned factor) const {
    Overtakings result;
    if (relaxes_object_) {
      const SpecPtr spec = relaxed(exact_, factor);
      result = find_overtakings(Binding(history_, *spec), ids_, options_);
    } else {
      search_window(binding_, ids_, factors_.with(factor), options_, &result.out_of_turn);
    }
    return result;
  }

  /// All relaxed classes have the same factor, so that the smallest one also decides the given ones.
  bool is_uniform() const { return factors_.with(factors_.largest()) == factors_; }

  Verdict with(const QuasiFactors& factors, const JudgeOptions& options) const {
    const unsigned factor = factors.largest();
    if (factor == 0) {
      if (ids_.size() == history_.size()) return judge_linearizability(history_, *exact_, options);
      return judge_linearizability(history_.restricted_to(ids_), *exact_, options);
    }
    if (!relaxes_object_) return search_window(binding_, ids_, factors, options);
    const SpecPtr spec = relaxed(exact_, factor);
    return judge_relaxed(Binding(history_, *spec), ids_, options);
  }

  /// Passing is monotone in the factor: it grows until something passes, and is then halved in. Only where the given
  /// factors were decided within the limits is more than a little time spent on others.
  void find_smallest(QuasiVerdict& result, bool zero_fails) const {
    JudgeOptions options = options_;
    if (options.time.count() == 0 && options.steps == 0) options.steps = 200'000 + 2 * ids_.size();
    const auto most = static_cast<unsigned>(ids_.size());
    unsigned failing = 0, passing = most + 1;  // as far as known; what is undecided counts as failing here
    result.at_least = zero_fails ? 1 : 0;
    if (relaxes_object_) failing = std::max(1u, least_factor(binding_, ids_)) - 1;
    if (is_uniform() && !is_undecided(result.verdict)) {
      const unsigned given = factors_.largest();
      if (passes(result.verdict)) passing = std::min(passing, given);
      if (fails(result.verdict)) failing = std::max(failing, given);
    }
    if (failing > 0) result.at_least = failing + 1;
    if (passing > most && relaxes_object_ && seen_to_fail_with_any()) return;
    const auto try_factor = [&](unsigned factor) {
      const Verdict verdict = with(factors_.with(factor), options);
      if (const auto* undecided = std::get_if<Undecided>(&verdict)) result.undecided = undecided->reason;
      if (fails(verdict)) result.at_least = factor + 1;
      (passes(verdict) ? passing : failing) = factor;
    };
    for (unsigned step = 1; passing > most && failing < most; step *= 2) try_factor(std::min(most, failing + step));
    while (passing <= most && passing - failing > 1) try_factor(failing + (passing - failing) / 2);
    if (passing > most) return;
    result.at_most = passing;
    if (result.at_least == passing) {
      result.smallest = passing;
      result.undecided.clear();
    }
  }

  /// Whether a monitor sees that even the largest factor explains nothing.
  bool seen_to_fail_with_any() const {
    const SpecPtr spec = relaxed(exact_, static_cast<unsigned>(ids_.size()));
    return fails_with_any_factor(Binding(history_, *spec), ids_);
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
  if (history.matrix())
    fail("{}: quasi-linearizability is judged by calls and returns, not by a precedence matrix", history.source().name);
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
  if (verdicts.size() != 1)
    fail("{}: a history over {} objects; judge_quasi_keys splits it", history.source().name, verdicts.size());
  return std::move(verdicts.front());
}

Verdict judge_factors(const History& history, const SpecPtr& spec, const QuasiFactors& factors,
                      const JudgeOptions& options) {
  if (factors.largest() > 0 && !history.matrix() && relaxes_removals_only(factors, *spec)) {
    // The common case without detours: checks judge many small histories.
    const SpecPtr object = relaxed(spec, factors.largest());
    const Binding binding(history, *object);
    if (!binding.has_keys()) return judge_relaxed(binding, all_of(history), options);
  }
  Verdict first = Witness{};
  for (const Part& part : parts_of(history, *spec, options)) {
    Verdict verdict = PartJudge(history, spec, factors, part.ids, options).with(factors);
    if (fails(verdict)) return verdict;
    if (is_undecided(verdict)) first = std::move(verdict);
  }
  return first;
}

}  // namespace muster
