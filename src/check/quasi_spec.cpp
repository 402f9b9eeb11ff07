#include "check/quasi_spec.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "history/literal.hpp"
#include "spec/builtin.hpp"

namespace muster {
namespace {

Value answer_value(const std::string& text) {
  if (text.empty()) return {};
  return text.starts_with("throws ") ? Value::symbol(text) : parse_literal(text);
}

/// Methods named as the operations of a check, with any arguments.
std::vector<Method> methods_of(const CheckDefinition& check) {
  std::vector<Method> methods;
  for (const auto& operation : check.operations) {
    Method method;
    method.name = operation.name;
    method.optional_arguments = 16;
    methods.push_back(method);
  }
  return methods;
}

class CheckSpec : public Spec {
 public:
  explicit CheckSpec(const CheckDefinition& check) : check_(check), methods_(methods_of(check)) {}
  std::string_view name() const override { return check_.name; }
  std::span<const Method> methods() const override { return methods_; }

 protected:
  const CheckDefinition& check_;
  std::vector<Method> methods_;
};

/// A tree of serial histories.
class ObservedSpec final : public CheckSpec {
 public:
  ObservedSpec(const CheckDefinition& check, const Test& test, const ObservationSet& observed, const Responses& responses)
      : CheckSpec(check) {
    const auto operations = operations_of(test);
    for (const SerialHistory& serial : observed.histories()) {
      if (serial.stuck) continue;
      StateId node = 0;
      for (const std::uint8_t operation : serial.order) {
        const auto& invocation = check.invocations[operations[operation].invocation];
        node = child(node, {static_cast<MethodIndex>(invocation.operation),
                            Value::list(parse_literals(invocation.arguments)),
                            answer_value(responses.text(serial.response[operation]))});
      }
    }
  }

  std::unique_ptr<StateSpace> states() const override { return std::make_unique<Prefixes>(*this); }

 private:
  struct Edge {
    MethodIndex method;
    Value arguments, answer;
    bool operator==(const Edge&) const = default;
  };

  class Prefixes final : public StateSpace {
   public:
    explicit Prefixes(const ObservedSpec& spec) : spec_(spec) {}
    StateId initial() override { return 0; }
    void step(StateId state, const Call& call, std::vector<StateId>& next) override {
      const Value arguments = Value::list(call.arguments);
      for (const auto& [edge, node] : spec_.nodes_[state]) {
        if (edge.method == call.method && edge.arguments == arguments && (call.pending || edge.answer == call.result))
          next.push_back(node);
      }
    }
    std::size_t bytes() const override { return 0; }

   private:
    const ObservedSpec& spec_;
  };

  StateId child(StateId node, const Edge& edge) {
    for (const auto& [known, next] : nodes_[node]) {
      if (known == edge) return next;
    }
    const auto made = static_cast<StateId>(nodes_.size());
    nodes_[node].emplace_back(edge, made);
    nodes_.emplace_back();
    return made;
  }

  std::vector<std::vector<std::pair<Edge, StateId>>> nodes_{1};
};

/// States are those of the models, calls are found among the invocations of the check.
class ModelsSpec final : public CheckSpec {
 public:
  using CheckSpec::CheckSpec;
  std::unique_ptr<StateSpace> states() const override { return std::make_unique<States>(check_); }

 private:
  class States final : public StateSpace {
   public:
    explicit States(const CheckDefinition& check) : check_(check), states_(check, responses_) {
      for (std::size_t i = 0; i < check.invocations.size(); ++i) {
        invocations_[{static_cast<MethodIndex>(check.invocations[i].operation),
                      Value::list(parse_literals(check.invocations[i].arguments))}] = static_cast<Invocation>(i);
      }
    }
    StateId initial() override { return NumberedModels::initial; }
    void step(StateId state, const Call& call, std::vector<StateId>& next) override {
      const auto found = invocations_.find({call.method, Value::list(call.arguments)});
      if (found == invocations_.end()) return;
      const auto& step = states_.apply(state, found->second);
      if (step.happens && (call.pending || answer_value(responses_.text(step.response)) == call.result))
        next.push_back(step.next);
    }
    std::size_t bytes() const override { return 0; }

   private:
    const CheckDefinition& check_;
    Responses responses_;
    NumberedModels states_;
    absl::flat_hash_map<std::pair<MethodIndex, Value>, Invocation> invocations_;
  };
};

}  // namespace

SpecPtr builtin_spec(const CheckDefinition& check, const QuasiRequest& request) {
  SpecPtr spec = find_spec(request.builtin);
  if (!spec) fail("check {}: there is no built-in object `{}` to judge by", check.name, request.builtin);
  for (const auto& operation : check.operations) {
    if (find_method(*spec, operation.name) < 0) {
      fail("check {}: {} has no operation `{}`; name the operations of the check as it does", check.name, request.builtin,
           operation.name);
    }
  }
  return spec;
}

History to_history(const CheckDefinition& check, const Test& test, const Recorded& recorded, const Responses& responses) {
  HistoryBuilder build(check.name);
  const auto operations = operations_of(test);
  std::vector<OperationId> ids(operations.size());
  for (unsigned i = 0; i < recorded.mark_count; ++i) {
    const unsigned at = recorded.marks[i].operation;
    if (recorded.marks[i].is_return) {
      build.returned(ids[at], answer_value(responses.text(recorded.response[at])));
    } else {
      const auto& invocation = check.invocations[operations[at].invocation];
      ids[at] = build.call(build.process(column_name(operations[at].column)),
                           build.method(check.operations[invocation.operation].name),
                           parse_literals(invocation.arguments));
    }
  }
  return build.finish();
}

SpecPtr observed_spec(const CheckDefinition& check, const Test& test, const ObservationSet& observed,
                      const Responses& responses) {
  return std::make_shared<ObservedSpec>(check, test, observed, responses);
}

SpecPtr modelled_spec(const CheckDefinition& check) { return std::make_shared<ModelsSpec>(check); }

QuasiSpec::QuasiSpec(const CheckDefinition& check, const Test& test, const Responses& responses, SpecPtr spec,
                     const std::string& factors, std::unique_ptr<SerialSpec> orders)
    : check_(check),
      test_(test),
      responses_(responses),
      spec_(std::move(spec)),
      factors_(parse_factors(factors, *spec_)),
      orders_(std::move(orders)) {}

bool QuasiSpec::explains(const Recorded& recorded) const {
  history_ = to_history(check_, test_, recorded, responses_);
  last_ = judge_quasi(history_, spec_, factors_);
  return passes(last_.verdict);
}

bool QuasiSpec::each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const {
  return orders_ && orders_->each_order(history, tell);
}

std::string QuasiSpec::overtaking(const Overtaking& most, bool overtaken) const {
  std::string others;
  for (const OperationId id : most.removals) {
    const Value value = overtaken ? history_[id].result : history_.arguments(id)[0];
    others += (others.empty() ? "" : ", ") + to_string(value);
  }
  const std::string item = to_string(history_.arguments(most.insert)[0]);
  if (overtaken) return fmt::format("{} is overtaken {}, by {}", item, most.removals.size() == 1 ? "once" : fmt::format("{} times", most.removals.size()), others);
  return fmt::format("{} overtakes {}", item, others);
}

std::string QuasiSpec::explanation() const {
  if (last_.unexplainable()) return "no factor explains it";
  if (!last_.smallest) return "its smallest factor is not known";
  std::string text = fmt::format("smallest factor {}", *last_.smallest);
  const Overtakings& overtakings = last_.overtakings;
  const std::size_t most = overtakings.overtaken ? overtakings.overtaken->removals.size() : 0;
  if (most >= *last_.smallest && most > 0) return text + ": " + overtaking(*overtakings.overtaken, true);
  if (overtakings.overtaker) return text + ": " + overtaking(*overtakings.overtaker, false);
  return text;
}

Ruling QuasiJudge::judge(const Recorded& history) {
  Ruling ruling;
  const bool explained = spec_.explains(history);
  const QuasiVerdict& verdict = spec_.last();
  if (const auto* limit = std::get_if<Undecided>(&verdict.verdict)) {
    ruling.undecided = limit->reason;
    return ruling;
  }
  ++(verdict.linearizable ? linearizable_ : explained ? relaxed_ : unexplained_);
  largest_factor_ = std::max(largest_factor_, verdict.smallest.value_or(0));
  if (explained) return ruling;
  Objection objection{FailureKind::not_quasi, -1, {}, {}, ""};
  objection.note = fmt::format("no order within {} explains the answers; {}.", spec_.factors(), spec_.explanation());
  spec_.each_order(history, [&](const SerialHistory& serial) {
    objection.serial_orders.push_back(describe(check_, test_, responses_, serial));
    return objection.serial_orders.size() < 6;
  });
  ruling.objection = std::move(objection);
  return ruling;
}

void QuasiJudge::tell(TestResult& result) const {
  result.linearizable = linearizable_;
  result.relaxed = relaxed_;
  result.unexplained = unexplained_;
}

}  // namespace muster
