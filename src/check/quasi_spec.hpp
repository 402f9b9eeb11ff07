#pragma once
// Judges the histories of a check as quasi-linearizable: by a built-in object, by a sequential model, or by what was observed
// serially, of the class itself or of a golden one. Blocking is not judged: what is pending may have taken effect, or not.

#include <memory>

#include "check/modelled_spec.hpp"
#include "check/observation_set.hpp"
#include "check/serial_spec.hpp"
#include "judge/quasi.hpp"

namespace muster {

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

}  // namespace muster
