#include "rule/check_specs.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "history/literal.hpp"
#include "rule/modelled_spec.hpp"
#include "spec/builtin.hpp"

namespace muster {
namespace {

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

/// Finds the invocations of a check by what is called.
class Invocations {
 public:
  explicit Invocations(const CheckDefinition& check) {
    for (std::size_t i = 0; i < check.invocations.size(); ++i) {
      found_[{static_cast<MethodIndex>(check.invocations[i].operation),
              Value::list(parse_literals(check.invocations[i].arguments))}] = static_cast<Invocation>(i);
    }
  }
  /// Null if the check has no such invocation.
  const Invocation* find(const Call& call) const {
    const auto found = found_.find({call.method, Value::list(call.arguments)});
    return found == found_.end() ? nullptr : &found->second;
  }

 private:
  absl::flat_hash_map<std::pair<MethodIndex, Value>, Invocation> found_;
};

class CheckSpec : public Spec {
 public:
  explicit CheckSpec(const CheckDefinition& check) : check_(check), methods_(methods_of(check)), invocations_(check) {}
  std::string_view name() const override { return check_.name; }
  std::span<const Method> methods() const override { return methods_; }

 protected:
  const CheckDefinition& check_;
  std::vector<Method> methods_;
  Invocations invocations_;
};

class ModelsSpec final : public CheckSpec {
 public:
  using CheckSpec::CheckSpec;
  std::unique_ptr<StateSpace> states() const override { return std::make_unique<States>(check_, invocations_); }

 private:
  class States final : public StateSpace {
   public:
    States(const CheckDefinition& check, const Invocations& invocations)
        : invocations_(invocations), states_(check, responses_) {}
    StateId initial() override { return NumberedModels::initial; }
    void step(StateId state, const Call& call, std::vector<StateId>& next) override {
      const Invocation* invocation = invocations_.find(call);
      if (!invocation) return;
      const auto& step = states_.apply(state, *invocation);
      if (step.happens && (call.pending || answer_value(responses_.text(step.response)) == call.result))
        next.push_back(step.next);
    }
    std::size_t bytes() const override { return 0; }

   private:
    const Invocations& invocations_;
    Responses responses_;
    NumberedModels states_;
  };
};

/// A tree of serial histories that grows as it is asked.
class SerialTree {
 public:
  struct Edge {
    Invocation call;
    Value answer;
    StateId to;
  };

  explicit SerialTree(SerialRuns& runs) : runs_(runs) {}

  /// Edges of `node`, those of `call` among them.
  const std::vector<Edge>& edges(StateId node, Invocation call) {
    if (!knows(node, call)) run(node, call);
    return nodes_[node].edges;
  }

  /// What comes after all of `answers` blocks, or is the end.
  void add(std::span<const Invocation> calls, std::span<const std::string> answers) {
    StateId node = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (!knows(node, calls[i])) nodes_[node].known.push_back(calls[i]);
      if (i == answers.size()) break;
      node = child(node, calls[i], answer_value(answers[i]));
    }
  }

 private:
  struct Node {
    StateId parent;
    Invocation call;  // that led here
    std::vector<Edge> edges;
    std::vector<Invocation> known;  // whose edges are all here
  };

  bool knows(StateId node, Invocation call) const {
    const auto& known = nodes_[node].known;
    return std::find(known.begin(), known.end(), call) != known.end();
  }

  void run(StateId node, Invocation call) {
    std::vector<Invocation> calls{call};
    for (StateId at = node; at != 0; at = nodes_[at].parent) calls.push_back(nodes_[at].call);
    std::reverse(calls.begin(), calls.end());
    for (const auto& answers : runs_.answers(calls)) add(calls, answers);
    if (!knows(node, call)) nodes_[node].known.push_back(call);
  }

  StateId child(StateId node, Invocation call, Value answer) {
    for (const Edge& edge : nodes_[node].edges) {
      if (edge.call == call && edge.answer == answer) return edge.to;
    }
    const auto made = static_cast<StateId>(nodes_.size());
    nodes_[node].edges.push_back({call, answer, made});
    nodes_.push_back({node, call, {}, {}});
    return made;
  }

  SerialRuns& runs_;
  std::vector<Node> nodes_{Node{0, 0, {}, {}}};
};

class ExecutedSpec final : public CheckSpec {
 public:
  ExecutedSpec(const CheckDefinition& check, SerialRuns& runs) : CheckSpec(check), tree_(runs) {}

  std::unique_ptr<StateSpace> states() const override { return std::make_unique<Prefixes>(tree_, invocations_); }

  void add(const Test& test, const ObservationSet& observed, const Responses& responses) {
    const auto operations = operations_of(test);
    for (const SerialHistory& serial : observed.histories()) {
      if (serial.excused) continue;
      std::vector<Invocation> calls;
      std::vector<std::string> answers;
      for (const std::uint8_t operation : serial.order) {
        calls.push_back(operations[operation].invocation);
        if (serial.response[operation] != pending) answers.push_back(responses.text(serial.response[operation]));
      }
      tree_.add(calls, answers);
    }
  }

 private:
  class Prefixes final : public StateSpace {
   public:
    Prefixes(SerialTree& tree, const Invocations& invocations) : tree_(tree), invocations_(invocations) {}
    StateId initial() override { return 0; }
    void step(StateId state, const Call& call, std::vector<StateId>& next) override {
      const Invocation* invocation = invocations_.find(call);
      if (!invocation) return;
      for (const SerialTree::Edge& edge : tree_.edges(state, *invocation)) {
        if (edge.call == *invocation && (call.pending || edge.answer == call.result)) next.push_back(edge.to);
      }
    }
    std::size_t bytes() const override { return 0; }

   private:
    SerialTree& tree_;
    const Invocations& invocations_;
  };

  mutable SerialTree tree_;  // what was run for one history serves the next
};

}  // namespace

Value answer_value(const std::string& text) {
  if (text.empty()) return {};
  return text.starts_with("throws ") ? Value::symbol(text) : parse_literal(text);
}

SpecPtr builtin_spec(const CheckDefinition& check, const std::string& name) {
  SpecPtr spec = find_spec(name);
  if (!spec)
    fail("check {}: there is no built-in object `{}` to judge by; there are {}", check.name, name,
         fmt::join(spec_names(), ", "));
  for (const auto& operation : check.operations) {
    if (find_method(*spec, operation.name) < 0) {
      fail("check {}: {} has no operation `{}`; name the operations of the check as it does", check.name, name,
           operation.name);
    }
  }
  return spec;
}

SpecPtr modelled_spec(const CheckDefinition& check) { return std::make_shared<ModelsSpec>(check); }

SpecPtr executed_spec(const CheckDefinition& check, const Test& test, SerialRuns& runs, const ObservationSet* observed,
                      const Responses& responses) {
  auto spec = std::make_shared<ExecutedSpec>(check, runs);
  if (observed) spec->add(test, *observed, responses);
  return spec;
}

}  // namespace muster
