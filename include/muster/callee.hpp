#pragma once
// What an operation of a check calls: a function on objects, given what threads have for themselves, handles and
// arguments, and what becomes of its answer. Declared through operation.hpp.

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
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

/// The exception that left a call is its answer. Compiled once, not for each operation.
[[gnu::noinline, gnu::cold]] inline void answer_by(const std::exception& error, ResponseSink& response) {
  const Uncontrolled quiet;
  response.exception(typeid(error).name(), error.what());
}
[[gnu::noinline, gnu::cold]] inline void answer_by_other_exception(ResponseSink& response) {
  const Uncontrolled quiet;
  response.exception("something that is no std::exception", "");
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
    const auto run = [&]() -> decltype(auto) {
      return call_all(frame, std::index_sequence_for<T...>{}, std::index_sequence_for<Extras...>{},
                      std::forward<Arguments>(arguments)...);
    };
    if constexpr (std::is_void_v<decltype(run())>) {
      run();
    } else {
      answer(frame, response, run());
    }
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
    return tell_model_answer(response, run, all);
  }

 private:
  template <std::size_t... I, std::size_t... E, class... Arguments>
  decltype(auto) call_all(CallFrame& frame, std::index_sequence<I...>, std::index_sequence<E...>,
                          Arguments&&... arguments) const {
    return std::invoke(function, *static_cast<T*>(frame.objects[objects[I]])..., std::get<E>(extras).get(frame)...,
                       std::forward<Arguments>(arguments)...);
  }

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

// ---- invocations ----

/// The arguments of one invocation, whatever their types.
struct ArgumentList {
  virtual ~ArgumentList() = default;
  virtual const std::type_info& type() const = 0;
  virtual std::size_t count() const = 0;
  /// Where the argument is, if it is of this type; else null.
  virtual const void* at(std::size_t index, const std::type_info& type) const = 0;
  virtual std::string text() const = 0;
};

template <class... Arguments>
struct Given final : ArgumentList {
  explicit Given(Arguments... arguments) : values(std::move(arguments)...) {}
  const std::type_info& type() const override { return typeid(Types<Arguments...>); }
  std::size_t count() const override { return sizeof...(Arguments); }
  const void* at(std::size_t index, const std::type_info& type) const override {
    const void* found = nullptr;
    std::size_t at = 0;
    const auto look = [&](const auto& value) {
      if (at++ == index && typeid(value) == type) found = &value;
    };
    std::apply([&](const Arguments&... all) { (look(all), ...); }, values);
    return found;
  }
  std::string text() const override {
    std::string text;
    const auto add = [&](std::string argument) { text += (text.empty() ? "" : ", ") + std::move(argument); };
    std::apply([&](const Arguments&... all) { (add(argument_text(all)), ...); }, values);
    return text;
  }
  std::tuple<Arguments...> values;
};

/// What is called and its arguments, with their types in two functions: a class for each operation and each kind of
/// arguments would be most of what a check compiles to.
struct Invocation final : Invoke {
  using RunOnModels = bool(const Invocation& self, void* const* models, ResponseSink& response);
  struct Functions {
    Run* run;
    RunOnModels* run_on_models;  // none without models
  };

  Invocation(std::shared_ptr<const void> callee, std::shared_ptr<const ArgumentList> arguments, Functions functions)
      : Invoke(functions.run), callee(std::move(callee)), arguments(std::move(arguments)), functions(functions) {}
  bool run_on_models(void* const* models, ResponseSink& response) const override {
    return functions.run_on_models && functions.run_on_models(*this, models, response);
  }
  std::size_t argument_count() const override { return arguments->count(); }
  const void* argument(std::size_t index, const std::type_info& type) const override {
    return arguments->at(index, type);
  }

  /// `use` is given the callee and its arguments, of these types.
  template <class Callee, class... Arguments, class Use>
  auto apply(const Use& use) const {
    return std::apply(
        [&](const Arguments&... values) { return use(*static_cast<const Callee*>(callee.get()), values...); },
        static_cast<const Given<Arguments...>&>(*arguments).values);
  }

  std::shared_ptr<const void> callee;
  std::shared_ptr<const ArgumentList> arguments;
  Functions functions;
};

template <class Callee, class... Arguments>
void call_with(const Invoke& self, CallFrame& frame, ResponseSink& response) {
  try {
    static_cast<const Invocation&>(self).apply<Callee, Arguments...>(
        [&](const Callee& callee, const Arguments&... values) { callee.call(frame, response, pass(values)...); });
  } catch (const std::exception& error) {
    answer_by(error, response);
  } catch (...) {
    answer_by_other_exception(response);
  }
}

template <class Callee, class... Arguments>
bool call_on_models_with(const Invocation& self, void* const* models, ResponseSink& response) {
  try {
    return self.apply<Callee, Arguments...>([&](const Callee& callee, const Arguments&... values) {
      return callee.call_on_models(models, response, pass(values)...);
    });
  } catch (const Blocks&) {
    return false;
  } catch (const std::exception& error) {
    answer_by(error, response);
  } catch (...) {
    answer_by_other_exception(response);
  }
  return true;
}

template <class Callee, class... Arguments>
constexpr Invocation::Functions functions_of() {
  if constexpr (Callee::has_models)
    return {call_with<Callee, Arguments...>, call_on_models_with<Callee, Arguments...>};
  else
    return {call_with<Callee, Arguments...>, nullptr};
}

}  // namespace detail

}  // namespace muster
