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
#include <ostream>
#include <string_view>
#include <utility>

#include "muster/name.hpp"
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

/// A class that is only run, one call after the other.
template <class G, class Factory>
struct GoldenMaker final : ModelMaker {
  explicit GoldenMaker(Factory factory) : factory(std::move(factory)) {}
  void* make() const override { return factory(); }
  void destroy(void* object) const override { delete static_cast<G*>(object); }
  void* copy(const void*) const override { return nullptr; }
  bool equal(const void*, const void*) const override { return false; }
  std::uint64_t hash(const void*) const override { return 0; }
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
auto add_operation(CheckDefinition& check, std::string_view name, Function function, OnModels on_models,
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
  auto operation(std::string_view name, Function function) {
    static_assert(std::is_invocable_v<const Function&, T&> || !std::is_invocable_v<const Function&>,
                  "a lambda takes the object first, as [](auto& queue) { return queue.size(); } does");
    return detail::add_operation(*check_, name, std::move(function), detail::SameFunction{}, *this);
  }
  /// The same with another function for the model.
  template <class Function, class OnModel>
  auto operation(std::string_view name, Function function, OnModel on_model) {
    return detail::add_operation(*check_, name, std::move(function), std::move(on_model), *this);
  }

  /// Judged against M, constructed from these arguments, instead of what the object does serially. M has copy and ==,
  /// hash() if it can. Operations are declared on what this gives: auto x = check.object<T>().model<M>().
  template <class Model, class... Arguments>
  Object<T, Model> model(Arguments... arguments) && {
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

  template <class Model, class... Arguments>
  Object<T, Model> model(Arguments...) & {
    static_assert(sizeof(Model) == 0,
                  "an object does not get a model later, in a statement of its own: write auto x = "
                  "check.object<T>(...).model<M>(...); and declare the operations on x");
    return {*check_, index_};
  }

  /// Judged by what another class does serially, constructed from these arguments: the same one without its relaxation,
  /// say. Operations, which are called on both, are declared on what this gives, as with `model`.
  template <class Golden, class... Arguments>
  Object<T, Golden> golden(Arguments... arguments) && {
    static_assert(std::is_constructible_v<Golden, const Arguments&...>,
                  "the golden class cannot be constructed from these arguments");
    const auto factory = [... arguments = std::move(arguments)] { return new Golden(arguments...); };
    using Factory = std::remove_const_t<decltype(factory)>;
    check_->models[index_] = std::make_unique<detail::GoldenMaker<Golden, Factory>>(factory);
    check_->golden = true;
    return {*check_, index_};
  }
  template <class Golden, class... Arguments>
  Object<T, Golden> golden(Arguments...) & {
    static_assert(sizeof(Golden) == 0,
                  "an object does not get a golden class later, in a statement of its own: write auto x = "
                  "check.object<T>(...).golden<G>(...); and declare the operations on x");
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

  /// Handles that an operation gives and a later one takes; they print as `name` and the place that gave them. Two that
  /// are held at once are the same handle if they have the same value.
  template <class Handle>
  Slot<Handle> slot(std::string name) {
    if constexpr (detail::has_value<Handle>()) {
      return slot<Handle>(std::move(name), detail::AsItIs{});
    } else {
      return add_slot<Handle>(std::move(name), nullptr);
    }
  }
  /// The same with what tells handles apart: they are the same if `value` makes the same of them.
  template <class Handle, class Value>
  Slot<Handle> slot(std::string name, Value value) {
    return add_slot<Handle>(std::move(name), detail::value_of_handle<Handle>(std::move(value)));
  }

  /// Must hold of the object after every execution in which all operations returned.
  template <class Predicate>
  Object& at_rest(std::string name, Predicate predicate) & {
    static_assert(std::is_invocable_r_v<bool, Predicate&, const T&>, "an invariant takes the object and gives a bool");
    const auto holds = [predicate](T& object) -> bool { return predicate(std::as_const(object)); };
    using Callee = detail::Callee<detail::Types<Object<T, void>>, std::remove_const_t<decltype(holds)>,
                                  detail::SameFunction, detail::Shows<detail::AsItIs>>;
    auto callee = std::make_shared<const Callee>(Callee{{index_}, holds, {}, {}, {}});
    check_->invariants.push_back(
        {std::move(name), std::make_unique<detail::Invocation>(std::move(callee), std::make_shared<detail::Given<>>(),
                                                               detail::functions_of<Callee>())});
    return *this;
  }
  template <class Predicate>
  Object at_rest(std::string name, Predicate predicate) && {
    return at_rest(std::move(name), std::move(predicate));
  }

  unsigned index() const { return index_; }

 private:
  template <class Handle>
  Slot<Handle> add_slot(std::string name, std::function<void(const void*, Sink&)> put_value) {
    const auto destroy = [](void* handle) { delete static_cast<Handle*>(handle); };
    check_->slots.push_back({std::move(name), destroy, std::move(put_value)});
    return {static_cast<unsigned>(check_->slots.size() - 1)};
  }

  detail::CheckDefinition* check_;
  unsigned index_;
};

namespace detail {

template <class Function, class OnModels, class... T, class... M>
auto add_operation(CheckDefinition& check, std::string_view name, Function function, OnModels on_models,
                   const Object<T, M>&... objects) {
  using Made = Callee<Types<Object<T, M>...>, Function, OnModels, Shows<AsItIs>>;
  DeclaredOperation<Made> made(
      check, add_to(check, name, Made::has_models),
      std::make_shared<const Made>(Made{{objects.index()...}, std::move(function), std::move(on_models), {}, {}}), {});
  made.add_without_arguments();
  return made;
}

}  // namespace detail

/// How `Check::run` runs.
struct RunOptions {
  std::chrono::milliseconds budget{0};  // stop after so long; 0: when done
  std::string size = "3x3";             // of random tests: threads x operations
  std::uint64_t tests = 100;            // random ones, unless the check names its own
  std::uint64_t seed = 1;
  unsigned bound = 2;              // preemptions at most
  unsigned jobs = 1;               // worker processes
  bool require_exhausted = false;  // a budget that runs out is no success
};

/// What came out of `Check::run`. As a bool: nothing was found, and all could be judged.
struct CheckOutcome {
  bool passed = false;
  std::string report;  // as a stand-alone program prints it

  explicit operator bool() const { return passed; }
  friend std::ostream& operator<<(std::ostream& out, const CheckOutcome& outcome) { return out << outcome.report; }
};

/// Gathers what the body of MUSTER_CHECK says. Inside a test of GoogleTest or Catch2 it is a variable:
///
///   muster::Check check("work_queue");
///   auto queue = check.object<WorkQueue<int>>();
///   …
///   EXPECT_TRUE(check.run({.budget = 10s}));
class Check {
 public:
  explicit Check(detail::CheckDefinition& definition) : definition_(&definition) {}
  // std::source_location needs a newer clang++ than 14.
  explicit Check(std::string name, const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : owned_(std::make_unique<detail::CheckDefinition>()), definition_(owned_.get()) {
    definition_->name = std::move(name);
    definition_->file = file;
    definition_->line = line;
  }

  /// Runs the tests here and now. What fails is also printed.
  CheckOutcome run(const RunOptions& options = {}) const;

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
  auto operation(std::string_view name, Function function, Object<T, M>... objects) {
    return detail::add_operation(*definition_, name, std::move(function), detail::SameFunction{}, objects...);
  }

  /// Judged as quasi-linearizable: operations may be out of order by these factors, as "dequeue=2". The order is that
  /// of the model, the golden class, or what the class does serially; or of a built-in object, as "queue", "stack" or
  /// "priority-queue", whose operations have the same names.
  Check& quasi(std::string_view factors, std::string_view spec = "") {
    definition_->quasi = factors;
    definition_->quasi_spec = spec;
    return *this;
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
  /// Races in functions or files that match this regular expression are meant, and no finding.
  Check& suppress_races(std::string pattern) {
    return (definition_->suppressions.push_back(std::move(pattern)), *this);
  }
  /// Run before the objects are made, and after they were destroyed, in every execution.
  Check& set_up(void (*function)()) { return (definition_->set_up = function, *this); }
  Check& tear_down(void (*function)()) { return (definition_->tear_down = function, *this); }

  detail::CheckDefinition& definition() { return *definition_; }

 private:
  std::unique_ptr<detail::CheckDefinition> owned_;
  detail::CheckDefinition* definition_;
};

}  // namespace muster

#define MUSTER_CHECK(name)                                                                                      \
  static_assert(::muster::detail::is_name(#name), "a check is called by a word, such as work_queue");           \
  static void name##_muster_check(::muster::Check&);                                                            \
  static const ::muster::detail::CheckRegistration name##_muster_check_registration{#name, name##_muster_check, \
                                                                                    __FILE__, __LINE__};        \
  static void name##_muster_check([[maybe_unused]] ::muster::Check& check)
