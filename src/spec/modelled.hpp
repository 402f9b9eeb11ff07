#pragma once
// A spec from a small sequential class: copy, ==, a hash, and its operations.
//
//   struct Counter { std::int64_t value = 0; bool operator==(const Counter&) const = default; … };
//   auto spec = modelled<Counter>("counter", Counter{}, {
//       {{.name = "add", .arguments = 1}, [](Counter& c, Arguments a) { return Answer(…); }}, …});

#include <absl/container/flat_hash_map.h>

#include <concepts>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "spec/spec.hpp"

namespace muster {

using Arguments = std::span<const Value>;

/// How many are added, acquired, released: one unless the call says otherwise.
inline std::int64_t amount(Arguments a) { return a.empty() || !a[0].is_integer() ? 1 : a[0].as_integer(); }

/// What the object answers; nothing where the call cannot happen in this state (a lock that is held).
using Answer = std::optional<Value>;

template <class Model>
struct ModelOperation {
  Method method;
  Answer (*apply)(Model&, Arguments);
};

template <class Model>
concept HasHash = requires(const Model& model) {
  { model.hash() } -> std::convertible_to<std::uint64_t>;
};

inline std::uint64_t hash_values(std::span<const Value> values) { return hash_bytes(std::as_bytes(values)); }

/// Whether an answer is the recorded one. Nothing recorded fits every answer.
inline bool same_answer(Value answer, Value recorded) {
  return recorded.is_none() || answer == recorded || answer.is_none();
}

template <class Model>
class ModelSpec;

template <class Model>
class ModelStates final : public StateSpace {
 public:
  explicit ModelStates(const ModelSpec<Model>& spec) : spec_(spec) {}

  StateId initial() override { return number(spec_.initial_state()); }

  void step(StateId state, const Call& call, std::vector<StateId>& next) override {
    Model changed = states_[state];
    const Answer answer = spec_.apply(changed, call);
    if (!answer || (!call.pending && !spec_.fits(*answer, call.result))) return;
    next.push_back(changed == states_[state] ? state : number(std::move(changed)));
  }

  std::size_t bytes() const override { return bytes_; }

  std::string describe(StateId state) const override {
    if constexpr (requires(const Model& model) { model.describe(); }) {
      return states_[state].describe();
    } else {
      return "";
    }
  }

 private:
  StateId number(Model model) {
    std::uint64_t hash = 0;
    if constexpr (HasHash<Model>) hash = model.hash();
    auto& same_hash = by_hash_[hash];
    for (const StateId known : same_hash) {
      if (states_[known] == model) return known;
    }
    const auto fresh = static_cast<StateId>(states_.size());
    same_hash.push_back(fresh);
    bytes_ += sizeof(Model) + 64;
    if constexpr (requires { model.footprint(); }) bytes_ += model.footprint();
    states_.push_back(std::move(model));
    return fresh;
  }

  const ModelSpec<Model>& spec_;
  std::deque<Model> states_;
  absl::flat_hash_map<std::uint64_t, std::vector<StateId>> by_hash_;
  std::size_t bytes_ = 0;
};

/// Traits that a model's spec may set.
struct SpecTraits {
  bool keyed = false;
  Family family = Family::other;
  Value initial_value = Value::nil();
  bool (*fits)(Value answer, Value recorded) = same_answer;
  std::unique_ptr<StateSpace> (*states)() = nullptr;  ///< a faster space with the model's behaviour
  /// One for some operations alone, or null (see Spec::states_for).
  std::unique_ptr<StateSpace> (*states_for)(const Binding&, std::span<const OperationId>) = nullptr;
  bool shows_what_was_put = false;  ///< see Spec
  Sums sums = Sums::none;           ///< see Spec
};

template <class Model>
class ModelSpec final : public Spec {
 public:
  ModelSpec(std::string name, Model initial, std::vector<ModelOperation<Model>> operations, SpecTraits traits)
      : name_(std::move(name)), initial_(std::move(initial)), operations_(std::move(operations)), traits_(traits) {
    for (const auto& operation : operations_) methods_.push_back(operation.method);
  }

  std::string_view name() const override { return name_; }
  std::span<const Method> methods() const override { return methods_; }
  std::unique_ptr<StateSpace> states() const override { return traits_.states ? traits_.states() : model_states(); }
  std::unique_ptr<StateSpace> states_for(const Binding& binding, std::span<const OperationId> ids) const override {
    std::unique_ptr<StateSpace> space;
    if (traits_.states_for) space = traits_.states_for(binding, ids);
    return space ? std::move(space) : states();
  }
  /// The model itself, state by state.
  std::unique_ptr<StateSpace> model_states() const { return std::make_unique<ModelStates<Model>>(*this); }
  bool is_keyed() const override { return traits_.keyed; }
  Family family() const override { return traits_.family; }
  Value initial_value() const override { return traits_.initial_value; }
  bool shows_what_was_put() const override { return traits_.shows_what_was_put; }
  Sums sums() const override { return traits_.sums; }

  const Model& initial_state() const { return initial_; }
  Answer apply(Model& model, const Call& call) const { return operations_[call.method].apply(model, call.arguments); }
  bool fits(Value answer, Value recorded) const { return traits_.fits(answer, recorded); }

 private:
  std::string name_;
  Model initial_;
  std::vector<ModelOperation<Model>> operations_;
  std::vector<Method> methods_;
  SpecTraits traits_;
};

template <class Model>
SpecPtr modelled(std::string name, Model initial, std::vector<ModelOperation<Model>> operations,
                 SpecTraits traits = {}) {
  return std::make_shared<ModelSpec<Model>>(std::move(name), std::move(initial), std::move(operations), traits);
}

}  // namespace muster
