#pragma once
// What decides about a history of a test: the serial executions of its class, or another spec. The same judge serves
// executions under control and runs on real threads.

#include <optional>
#include <string>
#include <vector>

#include "rule/handle_names.hpp"
#include "rule/result.hpp"
#include "rule/serial_spec.hpp"

namespace muster {

constexpr std::size_t shown_orders = 6;

/// With texts for answers.
SerialRun to_run(const SerialHistory& serial, const Responses& responses);

/// Nothing in it: the history passes.
struct Ruling {
  std::optional<Objection> objection{};
  std::string undecided{};  // a limit was hit
  std::uint8_t kind = 0;    // of history, for counts: bits of `MetHistory`
};

class HistoryJudge {
 public:
  virtual ~HistoryJudge() = default;
  /// `history.stuck` says whether what is pending never returns.
  virtual Ruling judge(const Recorded& history) = 0;
  /// The same for one that is not counted.
  virtual bool passes(const Recorded& history) {
    const Ruling ruling = judge(history);
    return !ruling.objection && ruling.undecided.empty();
  }
  /// Whether it is easily seen that the history passes, and with it all that have the same answers and less order: a
  /// witness keeps their order, too. `history` need not have happened.
  virtual bool passes_with_less_order(const Recorded&) const { return false; }
  /// About all histories of a class at once, where they are many; each is judged by itself if nothing can be said,
  /// also where `go_on` says that there is no time left.
  virtual ClassRuling judge_all(const HistoryClass&, absl::FunctionRef<bool()>) const { return {}; }
  /// Whether points at which everything pending is blocked are judged although threads have calls left.
  virtual bool looks_at_blocked_points() const { return true; }
  /// What it counted while it judged.
  virtual void add_counts(TestResult&) const {}
};

/// Line-Up's own: a witness among serial histories, observed or of a model, and for what is stuck a stuck one.
class SerialJudge final : public HistoryJudge {
 public:
  /// `classic`: by Definition 1 alone.
  SerialJudge(const CheckDefinition& check, const Test& test, Responses& responses, const SerialSpec& spec,
              bool classic)
      : check_(check),
        test_(test),
        responses_(responses),
        names_(check, test, responses),
        spec_(spec),
        classic_(classic) {}

  Ruling judge(const Recorded& history) override;
  bool passes_with_less_order(const Recorded& history) const override {
    return !history.stuck && spec_.explains(history);
  }
  ClassRuling judge_all(const HistoryClass& classed, absl::FunctionRef<bool()> go_on) const override {
    return classed.stuck ? ClassRuling{} : spec_.explains_all(classed, go_on);
  }
  bool looks_at_blocked_points() const override { return !classic_; }

 private:
  Objection blame_answer(const Recorded& history) const;
  void tell_serial_orders(Objection& objection, const Recorded& history) const;
  std::string explain_stuck(const Recorded& history, unsigned blamed) const;

  const CheckDefinition& check_;
  const Test& test_;
  const Responses& responses_;
  HandleNames names_;
  const SerialSpec& spec_;
  bool classic_;
};

/// That a serial history answers otherwise than another one did after the same calls.
Objection objection_to(FindingKind nondeterminism, const CheckDefinition& check, const Test& test,
                       const Responses& responses, const SerialHistory& serial, const SerialHistory& other);

/// A failure with all that a history tells about it.
Failure failure_of(Objection objection, const Test& test, const Responses& responses, const Recorded& history);

/// "Add(1) TryTake()→1".
std::string describe(const CheckDefinition& check, const Test& test, const Responses& responses,
                     const SerialHistory& history);

}  // namespace muster
