#pragma once
// Judges the histories of a check as quasi-linearizable: by a built-in object, by a sequential model, or by what was observed
// serially, of the class itself or of a golden one. Blocking is not judged: what is pending may have taken effect, or not.

#include <memory>

#include "check/history_judge.hpp"
#include "check/modelled_spec.hpp"
#include "check/observation_set.hpp"
#include "check/serial_spec.hpp"
#include "judge/quasi.hpp"

namespace muster {

/// The factors to judge by, and the built-in object if it is one: those of the command line, or else of the check.
struct QuasiRequest {
  std::string factors, builtin;

  QuasiRequest(const CheckDefinition& check, const std::string& factors, const std::string& builtin)
      : factors(factors.empty() ? check.quasi : factors), builtin(builtin.empty() ? check.quasi_spec : builtin) {}
  bool is_made() const { return !factors.empty(); }
  bool by_builtin() const { return is_made() && !builtin.empty(); }
};

/// The built-in object. Throws Error if there is none, or if it has no operation of the same name for one of the check's.
SpecPtr builtin_spec(const CheckDefinition& check, const QuasiRequest& request);

/// A history of a test as the judges see it: a process a column, values by their text.
History to_history(const CheckDefinition& check, const Test& test, const Recorded& recorded, const Responses& responses);

/// The serial histories that were observed, without their threads, as a spec: a state is a prefix of them. Methods are the
/// operations of the check.
SpecPtr observed_spec(const CheckDefinition& check, const Test& test, const ObservationSet& observed,
                      const Responses& responses);
/// The models of the check as a spec.
SpecPtr modelled_spec(const CheckDefinition& check);

class QuasiSpec final : public SerialSpec {
 public:
  /// `orders` tells serial orders for reports, if there is something that can.
  QuasiSpec(const CheckDefinition& check, const Test& test, const Responses& responses, SpecPtr spec,
            const std::string& factors, std::unique_ptr<SerialSpec> orders);

  bool explains(const Recorded& history) const override;
  bool explains_stuck(const Recorded& history, unsigned) const override { return explains(history); }
  bool explains_classic(const Recorded& history) const override { return explains(history); }
  bool each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const override;

  /// Of the history that was judged last.
  const QuasiVerdict& last() const { return last_; }
  /// "smallest factor 3; 1 was overtaken 3 times, by 2, 3, 4".
  std::string explanation() const;
  std::string factors() const { return to_string(factors_, *spec_); }

 private:
  std::string overtaking(const Overtaking& overtaking, bool overtaken) const;

  const CheckDefinition& check_;
  const Test& test_;
  const Responses& responses_;
  SpecPtr spec_;
  QuasiFactors factors_;
  std::unique_ptr<SerialSpec> orders_;
  mutable History history_;
  mutable QuasiVerdict last_;
};

/// Judges by it, and counts.
class QuasiJudge final : public HistoryJudge {
 public:
  QuasiJudge(const CheckDefinition& check, const Test& test, const Responses& responses, const QuasiSpec& spec)
      : check_(check), test_(test), responses_(responses), spec_(spec) {}

  Ruling judge(const Recorded& history) override;

  /// The largest smallest factor of the histories so far.
  unsigned largest_factor() const { return largest_factor_; }
  /// Of the last history.
  std::string explanation() const { return spec_.explanation(); }
  void tell(TestResult& result) const;

 private:
  const CheckDefinition& check_;
  const Test& test_;
  const Responses& responses_;
  const QuasiSpec& spec_;
  std::uint64_t linearizable_ = 0, relaxed_ = 0, unexplained_ = 0;
  unsigned largest_factor_ = 0;
};

}  // namespace muster
