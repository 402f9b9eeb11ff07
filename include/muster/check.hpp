#pragma once
// A check: a class, the operations to try, sample arguments. Muster learns what the class does serially, and looks for
// a concurrent execution that no serial order explains.
//
//   MUSTER_CHECK(work_queue) {
//     auto queue = check.object<WorkQueue<int>>();
//     queue.operation("Add", [](auto& q, int value) { q.add(value); }).with(200).with(400);
//     queue.operation("TryTake", &WorkQueue<int>::try_take);
//   }

#include <chrono>
#include <memory>
#include <utility>

#include "muster/operation.hpp"

namespace muster {

class Check;

namespace detail {

template <class T, class Factory>
struct FactoryMaker final : Maker {
  explicit FactoryMaker(Factory factory) : factory(std::move(factory)) {}
  void* make() const override { return factory(); }
  void destroy(void* object) const override { delete static_cast<T*>(object); }
  Factory factory;
};

template <class M, class Factory>
struct FactoryModelMaker final : ModelMaker {
  explicit FactoryModelMaker(Factory factory) : factory(std::move(factory)) {}
  void* make() const override { return factory(); }
  void destroy(void* model) const override { delete static_cast<M*>(model); }
  void* copy(const void* model) const override { return new M(*static_cast<const M*>(model)); }
  bool equal(const void* a, const void* b) const override {
    return *static_cast<const M*>(a) == *static_cast<const M*>(b);
  }
  std::uint64_t hash([[maybe_unused]] const void* model) const override {
    if constexpr (requires(const M& m) { m.hash(); }) {
      return static_cast<std::uint64_t>(static_cast<const M*>(model)->hash());
    } else {
      return 0;
    }
  }
  Factory factory;
};

template <class T, class State, class Factory>
struct FactoryThreadStateMaker final : ThreadStateMaker {
  FactoryThreadStateMaker(unsigned object, Factory factory) : object(object), factory(std::move(factory)) {}
  void* make(void* const* objects) const override { return new State(factory(*static_cast<T*>(objects[object]))); }
  void destroy(void* state) const override { delete static_cast<State*>(state); }
  unsigned object;
  Factory factory;
};

template <class Function, class OnModels, class... T, class... M>
auto add_operation(CheckDefinition& check, std::string name, Function function, OnModels on_models,
                   const Object<T, M>&... objects);

struct CheckRegistration {
  CheckRegistration(const char* name, void (*define)(Check&), const char* file, int line);
};

}  // namespace detail

/// An object under test, of class T; M is its sequential model, if it has one.
template <class T, class M>
class Object {
 public:
  Object(detail::CheckDefinition& check, unsigned index) : check_(&check), index_(index) {}

  /// A lambda that takes the object and arguments, or a member function.
  template <class Function>
  auto operation(std::string name, Function function) {
    return detail::add_operation(*check_, std::move(name), std::move(function), detail::SameFunction{}, *this);
  }
  /// The same with another function for the model.
  template <class Function, class OnModel>
  auto operation(std::string name, Function function, OnModel on_model) {
    return detail::add_operation(*check_, std::move(name), std::move(function), std::move(on_model), *this);
  }

  /// Judged against M, constructed from these arguments, instead of what the object does serially. M has copy and ==,
  /// hash() if it can. Comes before the operations.
  template <class Model, class... Arguments>
  Object<T, Model> model(Arguments... arguments) {
    static_assert(
        std::is_copy_constructible_v<Model> && requires(const Model& m) { static_cast<bool>(m == m); },
        "a model can be copied and compared: give it operator== (= default)");
    static_assert(std::is_constructible_v<Model, const Arguments&...>,
                  "the model cannot be constructed from these arguments");
    const auto factory = [... arguments = std::move(arguments)] { return new Model(arguments...); };
    using Factory = std::remove_const_t<decltype(factory)>;
    check_->models[index_] = std::make_unique<detail::FactoryModelMaker<Model, Factory>>(factory);
    return {*check_, index_};
  }

  /// What each thread has for itself, made of the object before anything is called: a producer's token.
  template <class Factory>
  auto per_thread(Factory factory) {
    using State = std::remove_cvref_t<std::invoke_result_t<const Factory&, T&>>;
    check_->thread_states.push_back(
        std::make_unique<detail::FactoryThreadStateMaker<T, State, Factory>>(index_, std::move(factory)));
    return PerThread<State>{static_cast<unsigned>(check_->thread_states.size() - 1)};
  }

  /// Handles that an operation gives and a later one takes; they print as `name`, never as an address.
  template <class Handle>
  Slot<Handle> slot(std::string name) {
    check_->slots.push_back({std::move(name), [](void* handle) { delete static_cast<Handle*>(handle); }});
    return {static_cast<unsigned>(check_->slots.size() - 1)};
  }

  /// Must hold of the object after every execution in which all operations returned.
  template <class Predicate>
  Object& at_rest(std::string name, Predicate predicate) {
    static_assert(std::is_invocable_r_v<bool, Predicate&, const T&>, "an invariant takes the object and gives a bool");
    const auto holds = [predicate](T& object) -> bool { return predicate(std::as_const(object)); };
    using Callee = detail::Callee<detail::Types<Object<T, void>>, std::remove_const_t<decltype(holds)>,
                                  detail::SameFunction, detail::Shows<detail::AsItIs>>;
    auto callee = std::make_shared<const Callee>(Callee{{index_}, holds, {}, {}, {}});
    check_->invariants.push_back({std::move(name), std::make_unique<detail::CalleeInvoke<Callee>>(
                                                       std::move(callee), std::make_shared<const std::tuple<>>())});
    return *this;
  }

  unsigned index() const { return index_; }

 private:
  detail::CheckDefinition* check_;
  unsigned index_;
};

namespace detail {

template <class Function, class OnModels, class... T, class... M>
auto add_operation(CheckDefinition& check, std::string name, Function function, OnModels on_models,
                   const Object<T, M>&... objects) {
  check.operations.push_back({.name = std::move(name), .excuse = {}});
  using Made = Callee<Types<Object<T, M>...>, Function, OnModels, Shows<AsItIs>>;
  Operation<Made> made(
      check, static_cast<unsigned>(check.operations.size() - 1),
      std::make_shared<const Made>(Made{{objects.index()...}, std::move(function), std::move(on_models), {}, {}}), {});
  made.add_without_arguments();
  return made;
}

}  // namespace detail

/// Gathers what the body of MUSTER_CHECK says.
class Check {
 public:
  explicit Check(detail::CheckDefinition& definition) : definition_(&definition) {}

  /// An object under test, constructed with these arguments in every execution.
  template <class T, class... Arguments>
  Object<T> object(Arguments... arguments) {
    static_assert(std::is_constructible_v<T, const Arguments&...>,
                  "the class cannot be constructed from these arguments: pass others, or use object_from");
    return object_from<T>([... arguments = std::move(arguments)] { return new T(arguments...); });
  }
  /// The same with a factory that gives a new T*.
  template <class T, class Factory>
  Object<T> object_from(Factory factory) {
    definition_->objects.push_back(std::make_unique<detail::FactoryMaker<T, Factory>>(std::move(factory)));
    definition_->models.emplace_back();
    return Object<T>(*definition_, static_cast<unsigned>(definition_->objects.size() - 1));
  }

  /// An operation on several objects: a lambda that takes them and arguments.
  template <class Function, class... T, class... M>
  auto operation(std::string name, Function function, Object<T, M>... objects) {
    return detail::add_operation(*definition_, std::move(name), std::move(function), detail::SameFunction{},
                                 objects...);
  }

  /// A role that so many columns of every test have.
  Role role(std::string name, unsigned columns) {
    definition_->roles.push_back({std::move(name), columns});
    return Role(static_cast<int>(definition_->roles.size() - 1));
  }

  /// A test to run: columns separated by |, "first:" and "last:" mark the sequences before and after.
  Check& test(std::string matrix) { return (definition_->tests.push_back(std::move(matrix)), *this); }
  /// Calls made before, and after, the columns of every generated test: "Add(1), Add(2)".
  Check& first(std::string calls) { return (definition_->initial = std::move(calls), *this); }
  Check& last(std::string calls) { return (definition_->last = std::move(calls), *this); }
  /// Calls that generated columns use as a block.
  Check& sequence(std::string calls) { return (definition_->sequences.push_back(std::move(calls)), *this); }
  /// Run before the objects are made, and after they were destroyed, in every execution.
  Check& set_up(void (*function)()) { return (definition_->set_up = function, *this); }
  Check& tear_down(void (*function)()) { return (definition_->tear_down = function, *this); }

  detail::CheckDefinition& definition() { return *definition_; }

 private:
  detail::CheckDefinition* definition_;
};

}  // namespace muster

#define MUSTER_CHECK(name)                                                                                      \
  static void muster_check_##name(::muster::Check&);                                                            \
  static const ::muster::detail::CheckRegistration muster_check_registration_##name{#name, muster_check_##name, \
                                                                                    __FILE__, __LINE__};        \
  static void muster_check_##name([[maybe_unused]] ::muster::Check& check)
