#pragma once
// Judges the histories of a check by its synchronisation spec: by its signal points where they fit, else by search.

#include "judge/synchronisation/synchronisation.hpp"
#include "rule/history_judge.hpp"

namespace muster {

/// The spec that a check brings along. Arguments are the numbers of invocations, responses are texts.
SyncSpecPtr synchronisation_spec(const CheckDefinition& check);

class SynchronisationJudge final : public HistoryJudge {
 public:
  SynchronisationJudge(const CheckDefinition& check, const Test& test, const Responses& responses,
                       SyncOptions options = {});

  Ruling judge(const Recorded& history) override;

  void add_counts(TestResult& result) const override {
    result.signalled += signalled_;
    result.misleading += misleading_;
  }

 private:
  Ruling judge_intervals(const Recorded& history);
  Ruling judge_partial_order(const Recorded& history);
  /// Whether the signal points alone prove that the history is explained; then `may_block` says whether it may end so.
  bool explained_by_signals(const Recorded& history, bool& may_block);
  std::string name_of_operation(unsigned operation) const;
  Objection object_to(const Recorded& history, const std::vector<unsigned>& operations,
                      const SyncCounterexample& failing) const;

  const CheckDefinition& check_;
  const Test& test_;
  const Responses& responses_;
  SyncOptions options_;
  SyncSpecPtr spec_;
  std::vector<TestOperation> operations_;
  std::uint64_t signalled_ = 0, misleading_ = 0;
};

}  // namespace muster
