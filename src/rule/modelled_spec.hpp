#pragma once
// A sequential model as the spec of a check. A history is explained by a search for a serial order that the model
// accepts; configurations (operations done, state of the model) are visited once. States are numbers: the model runs
// once for each state and invocation.

#include <unordered_map>
#include <vector>

#include "rule/serial_spec.hpp"

namespace muster {

/// The states of a check's models that were met, each known by a number.
class NumberedModels {
 public:
  using StateId = std::uint32_t;
  struct Step {
    bool happens = false;  // else the call blocks in this state
    StateId next = 0;
    ResponseId response = absent;
  };

  NumberedModels(const CheckDefinition& check, Responses& responses);
  ~NumberedModels();
  NumberedModels(const NumberedModels&) = delete;
  NumberedModels& operator=(const NumberedModels&) = delete;

  static constexpr StateId initial = 0;
  const Step& apply(StateId state, Invocation invocation);

 private:
  using Models = std::vector<void*>;  // one for each object
  StateId number(Models models);
  void destroy(Models& models) const;

  const CheckDefinition& check_;
  Responses& responses_;
  std::vector<Models> states_;
  std::unordered_multimap<std::uint64_t, StateId> by_hash_;
  std::unordered_map<std::uint64_t, Step> steps_;  // by state and invocation
};

class ModelledSpec final : public SerialSpec {
 public:
  ModelledSpec(const CheckDefinition& check, const Test& test, Responses& responses, std::uint64_t asynchronous);

  bool explains(const Recorded& history) const override;
  ClassRuling explains_all(const HistoryClass& classed, absl::FunctionRef<bool()> go_on) const override;
  bool explains_stuck(const Recorded& history, unsigned operation) const override;
  bool explains_classic(const Recorded& history) const override;
  bool each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const override;

 private:
  class Search;
  class Orders;

  const CheckDefinition& check_;
  std::vector<TestOperation> operations_;
  std::uint64_t asynchronous_;
  std::vector<std::vector<ResponseId>> excuses_;  // by operation of the test
  mutable NumberedModels states_;
};

}  // namespace muster
