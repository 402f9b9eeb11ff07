#pragma once
// Judges the histories of a check as quasi-linearizable: by a built-in object, by a sequential model, or by what calls
// answer serially, of the class itself or of a golden one. Blocking is not judged: what is pending may have taken
// effect, or not.

#include <memory>

#include "judge/quasi/quasi.hpp"
#include "rule/check_specs.hpp"
#include "rule/history_judge.hpp"

namespace muster {

/// The factors to judge by, and the built-in object if it is one: those of the command line, or else of the check.
struct QuasiRequest {
  std::string factors, builtin;

  QuasiRequest(const CheckDefinition& check, const std::string& factors, const std::string& builtin)
      : factors(factors.empty() ? check.quasi : factors), builtin(builtin.empty() ? check.quasi_spec : builtin) {}
  bool is_made() const { return !factors.empty(); }
  bool by_builtin() const { return is_made() && !builtin.empty(); }
  /// The factors, if displaced operations are judged, which takes tests that end with everything taken out (Removals);
  /// else nothing.
  std::string displacement() const { return builtin.empty() ? factors : ""; }
};

/// A history of a test as the judges see it: a process a column, values by their text; `Operation`s are numbered as
/// they were called. With `rest`, the calls that the test did not come to are pending at the end.
History to_history(const CheckDefinition& check, const Test& test, const Recorded& recorded, const Responses& responses,
                   bool rest = false);

/// What a quasi check is judged by.
struct QuasiBasis {
  SpecPtr spec;
  std::unique_ptr<SerialRuns> runs = {};    // that the spec asks, if it does
  std::unique_ptr<SerialSpec> orders = {};  // tells serial orders for reports, if there is something that can
  bool builtin = false;
};

class QuasiJudge final : public HistoryJudge {
 public:
  QuasiJudge(const CheckDefinition& check, const Test& test, const Responses& responses, QuasiBasis basis,
             const std::string& factors);

  Ruling judge(const Recorded& history) override;
  bool passes(const Recorded& history) override { return muster::passes(look_at(history).verdict.verdict); }
  // What holds of a history holds of its beginnings: there is nothing to see at such a point that the end does not
  // show.
  bool looks_at_blocked_points() const override { return false; }
  void add_counts(TestResult& result) const override;

  /// Of the history that was judged last.
  const QuasiVerdict& last() const { return last_.verdict; }
  /// "smallest factor 3: 1 is overtaken 3 times, by 2, 3, 4".
  std::string explanation() const;
  /// Who is out of turn in an explanation with the smallest factor.
  std::vector<DisplacedCall> displaced() const;
  /// The largest smallest factor of the histories so far.
  unsigned largest_factor() const { return largest_factor_; }

 private:
  struct Judged {
    History history;
    std::vector<std::uint8_t> operations;  // of the test, by operation of `history`
    QuasiVerdict verdict;
  };
  Judged look_at(const Recorded& history) const {
    return history.partial ? judge_partial_order(history) : judge_intervals(history);
  }
  Judged judge_intervals(const Recorded& history) const;
  Judged judge_partial_order(const Recorded& history) const;
  std::string overtaking(const Overtaking& overtaking, bool overtaken) const;
  Objection object_to(const Recorded& history) const;

  const CheckDefinition& check_;
  const Test& test_;
  const Responses& responses_;
  QuasiBasis basis_;
  QuasiFactors factors_;
  Judged last_;
  std::uint64_t linearizable_ = 0, relaxed_ = 0, unexplained_ = 0;
  unsigned largest_factor_ = 0;
};

}  // namespace muster
