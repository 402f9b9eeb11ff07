#pragma once
// Checks for objects whose operations meet: channels, exchangers, barriers. A spec has a function for each mode of
// synchronisation: it takes what the participants pass and gives back what each of them returns.
//
//   struct ChannelSpec {
//     std::tuple<muster::Unit, int> transfer(int value, muster::Unit) { return {muster::Unit{}, value}; }
//   };
//   MUSTER_CHECK(channel) {
//     auto channel = check.object<Channel>();
//     channel.operation("send", &Channel::send).with(1).with(2);
//     channel.operation("receive", &Channel::receive);
//     muster::synchronises<ChannelSpec>(check).mode({"send", "receive"}, &ChannelSpec::transfer);
//   }
//
// A parameter is Unit for an operation without arguments, a std::tuple for one with several. A result is a tuple, one
// item a participant, Unit where an operation returns nothing; `void` if that is true of all. The function may change
// the spec, which is its state: a class with copy and ==; one without members has no state. std::optional of a result
// without a value says that these cannot synchronise now; AnyOf lists all results that are allowed.

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "muster/check.hpp"

namespace muster {

/// What an operation without arguments passes, and one without a result returns.
struct Unit {
  bool operator==(const Unit&) const = default;
};

/// Results of which any is allowed. Items of type After also say which state they leave behind.
template <class Result>
struct AnyOf {
  AnyOf(std::initializer_list<Result> results) : results(results) {}
  explicit AnyOf(std::vector<Result> results) : results(std::move(results)) {}
  std::vector<Result> results;
};
template <class State, class Result>
struct After {
  State state;
  Result result;
};

/// A signal point (section 8.2 of the paper), inside the code under test: participant `role` (from 1) of a
/// synchronisation is here. Roles signal in order, the last one while all others are still waiting to be told; then the
/// others `signal_back`. Histories whose signals fit the spec need no search; others are judged as usual.
/// Costs a branch where no check is running.
void signal_point(unsigned role);
void signal_back(unsigned role);

namespace detail {

template <class T>
struct IsAfter : std::false_type {};
template <class State, class Result>
struct IsAfter<After<State, Result>> : std::true_type {};
template <class T>
struct IsAnyOf : std::false_type {};
template <class Result>
struct IsAnyOf<AnyOf<Result>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};

/// One argument of an invocation as a T: the spec may say `long` or std::string where the check says 1 or "x".
template <class T>
std::optional<T> argument_as(const Invoke& invoke, std::size_t index) {
  std::optional<T> found;
  const auto try_type = [&]<class Given>(std::type_identity<Given>) {
    if (found) return;
    if (const void* value = invoke.argument(index, typeid(Given)))
      found.emplace(static_cast<T>(*static_cast<const Given*>(value)));
  };
  try_type(std::type_identity<T>{});
  if constexpr (std::is_arithmetic_v<T>) {
    const auto try_all = [&]<class... Given>(std::type_identity<std::tuple<Given...>>) {
      (try_type(std::type_identity<Given>{}), ...);
    };
    try_all(std::type_identity<std::tuple<bool, char, short, int, long, long long, unsigned short, unsigned,
                                          unsigned long, unsigned long long, float, double>>{});
  } else if constexpr (std::is_same_v<T, std::string>) {
    try_type(std::type_identity<const char*>{});
  }
  return found;
}

/// What a participant passes, as the spec's parameter.
template <class T>
std::optional<T> passed_by(const Invoke& invoke) {
  if constexpr (std::is_same_v<T, Unit>) {
    return invoke.argument_count() == 0 ? std::optional<T>(T{}) : std::nullopt;
  } else if constexpr (IsTuple<T>::value) {
    if (invoke.argument_count() != std::tuple_size_v<T>) return std::nullopt;
    return [&]<std::size_t... i>(std::index_sequence<i...>)->std::optional<T> {
      auto parts = std::tuple(argument_as<std::tuple_element_t<i, T>>(invoke, i)...);
      if (!(std::get<i>(parts).has_value() && ...)) return std::nullopt;
      return T(std::move(*std::get<i>(parts))...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    return invoke.argument_count() == 1 ? argument_as<T>(invoke, 0) : std::nullopt;
  }
}

template <class T>
std::string response_text(const T& value) {
  if constexpr (std::is_same_v<T, Unit>) {
    return {};
  } else {
    return to_text(value);
  }
}

/// Gives each allowed result, with the state after it, to the sink.
template <class State, class Result>
void give(OutcomeSink& sink, std::size_t arity, const State& state, const Result& result) {
  if constexpr (IsOptional<Result>::value) {
    if (result) give(sink, arity, state, *result);
  } else if constexpr (IsAnyOf<Result>::value) {
    for (const auto& one : result.results) give(sink, arity, state, one);
  } else if constexpr (IsAfter<Result>::value) {
    give(sink, arity, result.state, result.result);
  } else {
    std::vector<std::string> responses;
    if constexpr (std::is_same_v<Result, Unit>) {
      responses.resize(arity);
    } else if constexpr (TupleLike<Result>) {
      std::apply([&](const auto&... parts) { (responses.push_back(response_text(parts)), ...); }, result);
    } else if constexpr (IsVector<Result>::value) {
      for (const auto& part : result)
        responses.push_back(response_text(static_cast<const typename Result::value_type&>(part)));
    } else {
      responses.push_back(response_text(result));
    }
    sink.outcome(new State(state), responses);
  }
}

template <class State, class Function, class Parameters>
struct ModeOf;

/// A parameter for each participant.
template <class State, class Function, class... Parameters>
struct ModeOf<State, Function, std::tuple<Parameters...>> final : ModeDefinition {
  explicit ModeOf(Function function) : function(std::move(function)) {}
  std::size_t parameters() const override { return sizeof...(Parameters); }
  bool run(const void* state, const Invoke* const* invokes, OutcomeSink& sink) const override {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      auto passed = std::tuple(passed_by<std::remove_cvref_t<Parameters>>(*invokes[i])...);
      if (!(std::get<i>(passed).has_value() && ...)) return false;
      State after = *static_cast<const State*>(state);
      if constexpr (std::is_void_v<decltype(function(after, *std::get<i>(passed)...))>) {
        function(after, *std::get<i>(passed)...);
        give(sink, sizeof...(i), after, Unit{});
      } else {
        const auto result = function(after, *std::get<i>(passed)...);
        give(sink, sizeof...(i), after, result);
      }
      return true;
    }
    (std::index_sequence_for<Parameters...>{});
  }
  Function function;
};

/// All participants in one vector.
template <class State, class Function, class Parameter>
struct CrowdOf final : ModeDefinition {
  CrowdOf(Function function, unsigned count) : function(std::move(function)), count(count) {}
  std::size_t parameters() const override { return count; }
  bool run(const void* state, const Invoke* const* invokes, OutcomeSink& sink) const override {
    std::vector<Parameter> passed;
    for (unsigned i = 0; i < count; ++i) {
      auto one = passed_by<Parameter>(*invokes[i]);
      if (!one) return false;
      passed.push_back(std::move(*one));
    }
    State after = *static_cast<const State*>(state);
    if constexpr (std::is_void_v<decltype(function(after, passed))>) {
      function(after, passed);
      give(sink, count, after, Unit{});
    } else {
      const auto result = function(after, passed);
      give(sink, count, after, result);
    }
    return true;
  }
  Function function;
  unsigned count;
};

/// The parameters after the state.
template <class Function>
struct ParametersOf : ParametersOf<decltype(&Function::operator())> {};
template <class F, class R, class S, class... P>
struct ParametersOf<R (F::*)(S&, P...) const> {
  using type = std::tuple<P...>;
};

template <class State>
struct StateOf final : SynchronisationDefinition {
  explicit StateOf(State initial) : initial_state(std::move(initial)) {}
  bool stateless() const override { return std::is_empty_v<State>; }
  void* initial() const override { return new State(initial_state); }
  void destroy(void* state) const override { delete static_cast<State*>(state); }
  bool equal(const void* a, const void* b) const override {
    if constexpr (std::is_empty_v<State>) {
      return true;
    } else {
      return *static_cast<const State*>(a) == *static_cast<const State*>(b);
    }
  }
  State initial_state;
};

}  // namespace detail

template <class State>
class Synchronises {
 public:
  explicit Synchronises(detail::SynchronisationDefinition& definition) : definition_(&definition) {}

  /// A lambda that takes the state and what each participant passes.
  template <class Function>
  Synchronises& mode(std::initializer_list<const char*> participants, Function function) {
    using Parameters = typename detail::ParametersOf<Function>::type;
    auto mode = std::make_unique<detail::ModeOf<State, Function, Parameters>>(std::move(function));
    mode->participants.assign(participants.begin(), participants.end());
    definition_->modes.push_back(std::move(mode));
    return *this;
  }
  /// The same with a member function of the state.
  template <class Result, class Spec, class... Parameters>
  Synchronises& mode(std::initializer_list<const char*> participants, Result (Spec::*function)(Parameters...)) {
    return mode(participants,
                [function](State& state, Parameters... passed) -> Result { return (state.*function)(passed...); });
  }
  template <class Result, class Spec, class... Parameters>
  Synchronises& mode(std::initializer_list<const char*> participants, Result (Spec::*function)(Parameters...) const) {
    return mode(participants,
                [function](State& state, Parameters... passed) -> Result { return (state.*function)(passed...); });
  }
  /// `count` participants that all call `operation`: the function takes a std::vector of what they pass and gives one
  /// of what they return.
  template <class Parameter = Unit, class Function>
  Synchronises& mode(unsigned count, const char* operation, Function function) {
    auto mode = std::make_unique<detail::CrowdOf<State, Function, Parameter>>(std::move(function), count);
    mode->participants.assign(count, operation);
    definition_->modes.push_back(std::move(mode));
    return *this;
  }
  /// Spinning for ever is a finding even where waiting for ever is allowed (section 8.1).
  Synchronises& divergence_free() { return (definition_->divergence_free = true, *this); }

 private:
  detail::SynchronisationDefinition* definition_;
};

/// The check is judged by this spec instead of by what its objects do serially.
template <class State = Unit>
Synchronises<State> synchronises(Check& check, State initial = {}) {
  auto made = std::make_unique<detail::StateOf<State>>(std::move(initial));
  detail::SynchronisationDefinition& definition = *made;
  check.definition().synchronisation = std::move(made);
  return Synchronises<State>(definition);
}

}  // namespace muster
