#pragma once
// What an operation of a check calls: a function on objects, given what threads have for themselves, handles and
// arguments, and what becomes of its answer. Declared through operation.hpp.

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <typeinfo>
#include <utility>

#include "muster/cannot.hpp"
#include "muster/check_definition.hpp"
#include "muster/handle.hpp"
#include "muster/scenario.hpp"

namespace muster {

template <class T, class M = void>
class Object;

/// Columns that alone may call certain operations.
class Role {
 public:
  explicit Role(int index) : index_(index) {}
  int index() const { return index_; }

 private:
  int index_;
};

/// What each thread has for itself: see Object::per_thread.
template <class State>
struct PerThread {
  unsigned index;
};

/// An argument that is made anew for each call, because it cannot be copied; `text` is how it prints.
template <class Factory>
struct Made {
  std::string text;
  Factory factory;
};
template <class Factory>
Made<Factory> make(std::string text, Factory factory) {
  return {std::move(text), std::move(factory)};
}

/// An exception as a declared answer, as reports show it: throws("std::logic_error: closed").
struct Throws {
  std::string what;
  friend std::ostream& operator<<(std::ostream& out, const Throws& answer) { return out << "throws " << answer.what; }
};
inline Throws throws(std::string what) { return {std::move(what)}; }

namespace detail {

template <class... T>
struct Types {};
struct SameFunction {};  // the models are called as the objects are

struct AsItIs {
  template <class T>
  const T& operator()(const T& value) const {
    return value;
  }
};

// ---- arguments ----

template <class A>
A pass(const A& argument) {
  return argument;
}
template <class Factory>
auto pass(const Made<Factory>& argument) {
  return argument.factory();
}
template <class A>
using Passed = decltype(pass(std::declval<const A&>()));

template <class A>
std::string argument_text(const A& argument) {
  return to_text(argument);
}
template <class Factory>
std::string argument_text(const Made<Factory>& argument) {
  return argument.text;
}

// ---- what a call is given besides objects and arguments ----

template <class State>
struct UsesState {
  using Type = State&;
  unsigned index;
  State& get(CallFrame& frame) const { return *static_cast<State*>(frame.thread_states[index]); }
};
template <class Handle>
struct TakesHandle {
  using Type = Handle&&;
  Handle&& get(CallFrame& frame) const { return std::move(*static_cast<Handle*>(frame.taken)); }
};
template <class Handle>
struct BorrowsHandle {
  using Type = Handle&;
  Handle& get(CallFrame& frame) const { return *static_cast<Handle*>(frame.taken); }
};

// ---- answers ----

template <class T>
struct IsCannot : std::false_type {};
template <class T>
struct IsCannot<Cannot<T>> : std::true_type {};

/// Prints what the projection makes of an answer.
template <class Project>
struct Shows {
  Project project;
  template <class Result>
  void operator()(CallFrame&, ResponseSink& response, Result&& result) const {
    const Uncontrolled quiet;
    print(response, project(std::as_const(result)));
  }
};

template <class Answer, class Result>
constexpr bool can_show = true;
template <class Project, class Result>
constexpr bool can_show<Shows<Project>, Result> =
    is_printable<std::remove_cvref_t<std::invoke_result_t<const Project&, const std::remove_cvref_t<Result>&>>>();

/// Runs `call`; the exception that left it is its answer.
template <class Call>
void catching(ResponseSink& response, const Call& call) {
  try {
    call();
  } catch (const std::exception& error) {
    const Uncontrolled quiet;
    response.exception(typeid(error).name(), error.what());
  } catch (...) {
    const Uncontrolled quiet;
    response.exception("something that is no std::exception", "");
  }
}

// ---- calls ----

/// What is called: objects, a function, what else it is given, and what becomes of its answer.
template <class Targets, class Function, class OnModels, class Answer, class... Extras>
struct Callee;

template <class... T, class... M, class Function, class OnModels, class Answer, class... Extras>
struct Callee<Types<Object<T, M>...>, Function, OnModels, Answer, Extras...> {
  std::array<unsigned, sizeof...(T)> objects;
  Function function;
  OnModels on_models;
  Answer answer;
  std::tuple<Extras...> extras;

  static constexpr bool has_models = !(std::is_void_v<M> || ...);
  static constexpr bool gives = gives_handle<Answer>;
  static constexpr bool is_projected = !gives && !std::is_same_v<Answer, Shows<AsItIs>>;

  template <class Other>
  Callee<Types<Object<T, M>...>, Function, OnModels, Other, Extras...> seen_by(Other other) const {
    return {objects, function, on_models, std::move(other), extras};
  }
  template <class Extra>
  Callee<Types<Object<T, M>...>, Function, OnModels, Answer, Extras..., Extra> also_given(Extra extra) const {
    return {objects, function, on_models, answer, std::tuple_cat(extras, std::tuple<Extra>(extra))};
  }

  template <class... Arguments>
  static constexpr bool callable = std::is_invocable_v<const Function&, T&..., typename Extras::Type..., Arguments...>;
  template <class... Arguments>
  using Result = std::invoke_result_t<const Function&, T&..., typename Extras::Type..., Arguments...>;

  template <class... Arguments>
  static constexpr bool comparable() {
    if constexpr (std::is_void_v<Result<Arguments...>>) {
      return true;
    } else {
      return can_show<Answer, Result<Arguments...>>;
    }
  }

  template <class... Arguments>
  void call(CallFrame& frame, ResponseSink& response, Arguments&&... arguments) const {
    const auto run = [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
      return std::apply(
          [&](const Extras&... extra) -> decltype(auto) {
            return std::invoke(function, *static_cast<T*>(frame.objects[objects[I]])..., extra.get(frame)...,
                               std::forward<Arguments>(arguments)...);
          },
          extras);
    };
    constexpr std::index_sequence_for<T...> all;
    catching(response, [&] {
      if constexpr (std::is_void_v<decltype(run(all))>) {
        run(all);
      } else {
        answer(frame, response, run(all));
      }
    });
  }

  template <class... Arguments>
  bool call_on_models(void* const* models, ResponseSink& response, Arguments&&... arguments) const {
    constexpr bool own_function = !std::is_same_v<OnModels, SameFunction>;
    using Called = std::conditional_t<own_function, OnModels, Function>;
    static_assert(std::is_invocable_v<const Called&, M&..., Arguments...>,
                  "the model cannot do this operation: write a generic lambda, [](auto& object, …), or pass a function "
                  "for the model after the one for the object");
    const auto run = [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
      const Called* called = nullptr;
      if constexpr (own_function)
        called = &on_models;
      else
        called = &function;
      return std::invoke(*called, *static_cast<M*>(models[objects[I]])..., std::forward<Arguments>(arguments)...);
    };
    constexpr std::index_sequence_for<T...> all;
    bool happens = true;
    catching(response, [&] {
      try {
        happens = tell_model_answer(response, run, all);
      } catch (const Blocks&) {
        happens = false;
      }
    });
    return happens;
  }

 private:
  template <class Run, class All>
  bool tell_model_answer(ResponseSink& response, const Run& run, All all) const {
    using ModelResult = decltype(run(all));
    if constexpr (std::is_void_v<ModelResult>) {
      run(all);
      return true;
    } else if constexpr (IsCannot<std::remove_cvref_t<ModelResult>>::value) {
      const auto result = run(all);
      if (result) show(response, *result);
      return result.has_value();
    } else {
      show(response, run(all));
      return true;
    }
  }
  /// A projection is for what the object answers; the model may answer what the projection makes of that.
  template <class Value>
  void show(ResponseSink& response, const Value& value) const {
    CallFrame frame{};
    if constexpr (std::is_invocable_v<const Answer&, CallFrame&, ResponseSink&, const Value&>) {
      answer(frame, response, value);
    } else {
      print(response, value);
    }
  }
};

/// The arguments of one invocation, shared by all that is made of it.
template <class... Arguments>
using SharedArguments = std::shared_ptr<const std::tuple<Arguments...>>;

template <class Callee, class... Arguments>
struct CalleeInvoke final : Invoke {
  CalleeInvoke(std::shared_ptr<const Callee> callee, SharedArguments<Arguments...> arguments)
      : callee(std::move(callee)), arguments(std::move(arguments)) {}
  void run(CallFrame& frame, ResponseSink& response) const override {
    std::apply([&](const Arguments&... values) { callee->call(frame, response, pass(values)...); }, *arguments);
  }
  bool run_on_models([[maybe_unused]] void* const* models, [[maybe_unused]] ResponseSink& response) const override {
    if constexpr (Callee::has_models) {
      return std::apply(
          [&](const Arguments&... values) { return callee->call_on_models(models, response, pass(values)...); },
          *arguments);
    } else {
      return false;
    }
  }
  std::size_t argument_count() const override { return sizeof...(Arguments); }
  const void* argument(std::size_t index, const std::type_info& type) const override {
    const void* found = nullptr;
    std::size_t at = 0;
    std::apply(
        [&](const Arguments&... values) {
          ((at++ == index && typeid(Arguments) == type ? void(found = &values) : void()), ...);
        },
        *arguments);
    return found;
  }
  std::shared_ptr<const Callee> callee;
  SharedArguments<Arguments...> arguments;
};

}  // namespace detail

}  // namespace muster
