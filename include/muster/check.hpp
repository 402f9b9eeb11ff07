#pragma once
// A check: a class, the operations to try, sample arguments. Muster learns what the class does serially, and looks for
// a concurrent execution that no serial order explains.
//
//   MUSTER_CHECK(work_queue) {
//     auto queue = check.object<WorkQueue<int>>();
//     queue.operation("Add", [](auto& q, int value) { q.add(value); }).with(200).with(400);
//     queue.operation("TryTake", &WorkQueue<int>::try_take);
//   }

#include <functional>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <typeinfo>
#include <utility>

#include "muster/check_definition.hpp"
#include "muster/scenario.hpp"

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

/// Runs `call` and tells its result, or the exception that left it.
template <class Call, class Project>
void respond(ResponseSink& response, const Call& call, const Project& project) {
  try {
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
    } else {
      decltype(auto) result = call();
      const Uncontrolled quiet;
      print(response, project(std::as_const(result)));
    }
  } catch (const std::exception& error) {
    const Uncontrolled quiet;
    response.exception(typeid(error).name(), error.what());
  } catch (...) {
    const Uncontrolled quiet;
    response.exception("something that is no std::exception", "");
  }
}

struct AsItIs {
  template <class T>
  const T& operator()(const T& value) const {
    return value;
  }
};

template <class T, class Function, class Project, class... Arguments>
struct ObjectInvoke final : Invoke {
  ObjectInvoke(unsigned object, std::shared_ptr<Function> function, std::shared_ptr<Project> project,
               Arguments... arguments)
      : object(object), function(std::move(function)), project(std::move(project)), values(std::move(arguments)...) {}
  void run(CallFrame& frame, ResponseSink& response) const override {
    T& target = *static_cast<T*>(frame.objects[object]);
    respond(
        response,
        [&]() -> decltype(auto) {
          return std::apply(
              [&](const Arguments&... each) -> decltype(auto) {
                return std::invoke(*function, target, Arguments(each)...);
              },
              values);
        },
        *project);
  }
  std::size_t arguments() const override { return sizeof...(Arguments); }
  const void* argument(std::size_t index, const std::type_info& type) const override {
    const void* found = nullptr;
    std::size_t at = 0;
    std::apply(
        [&](const Arguments&... each) {
          ((at++ == index && typeid(Arguments) == type ? void(found = &each) : void()), ...);
        },
        values);
    return found;
  }
  unsigned object;
  std::shared_ptr<Function> function;
  std::shared_ptr<Project> project;
  std::tuple<Arguments...> values;
};

struct CheckRegistration {
  CheckRegistration(const char* name, void (*define)(Check&), const char* file, int line);
};

}  // namespace detail

/// Columns that alone may call certain operations.
class Role {
 public:
  explicit Role(int index) : index_(index) {}
  int index() const { return index_; }

 private:
  int index_;
};

template <class T, class Function, class Project = detail::AsItIs>
class Operation {
 public:
  Operation(detail::CheckDefinition& check, unsigned object, unsigned operation, std::shared_ptr<Function> function,
            std::shared_ptr<Project> project)
      : check_(&check),
        object_(object),
        operation_(operation),
        function_(std::move(function)),
        project_(std::move(project)) {}

  /// One more invocation, with these arguments.
  template <class... Arguments>
  Operation& with(Arguments... arguments) {
    static_assert(std::is_invocable_v<Function&, T&, Arguments...>,
                  "the operation cannot be called with these arguments");
    add(std::move(arguments)...);
    return *this;
  }
  /// Drawn so many times as often as others.
  Operation& weight(unsigned weight) { return (self().weight = weight, *this); }
  /// Only columns with this role call it.
  Operation& by(Role role) { return (self().role = role.index(), *this); }
  /// May also answer `excuse`, without an effect, while it overlaps another operation.
  template <class Excuse>
  Operation& nondeterministic_on_interference(const Excuse& excuse) {
    self().nondeterministic = true;
    self().excuse = to_text(excuse);
    return *this;
  }
  /// Its effect may come after it returned.
  Operation& asynchronous() { return (self().asynchronous = true, *this); }

  /// Responses are compared and printed as what `project` makes of them. Comes before `with`.
  template <class Projection>
  Operation<T, Function, Projection> seen_as(Projection project) {
    std::erase_if(check_->invocations, [this](const auto& invocation) { return invocation.operation == operation_; });
    Operation<T, Function, Projection> seen(*check_, object_, operation_, function_,
                                            std::make_shared<Projection>(std::move(project)));
    self().incomparable = false;
    seen.add_without_arguments();
    return seen;
  }

  void add_without_arguments() {
    if constexpr (std::is_invocable_v<Function&, T&>) {
      using Answer = std::invoke_result_t<Function&, T&>;
      if constexpr (std::is_void_v<Answer>) {
        add();
      } else if constexpr (detail::is_printable<std::remove_cvref_t<
                               std::invoke_result_t<Project&, const std::remove_cvref_t<Answer>&>>>()) {
        add();
      } else {
        self().incomparable = true;  // unless .seen_as follows
      }
    } else {
      self().needs_arguments = true;
    }
  }

 private:
  detail::OperationDefinition& self() { return check_->operations[operation_]; }

  template <class... Arguments>
  void add(Arguments... arguments) {
    std::string text;
    ((text += (text.empty() ? "" : ", ") + to_text(arguments)), ...);
    self().needs_arguments = false;
    check_->invocations.push_back({operation_, text,
                                   std::make_unique<detail::ObjectInvoke<T, Function, Project, Arguments...>>(
                                       object_, function_, project_, std::move(arguments)...)});
  }

  detail::CheckDefinition* check_;
  unsigned object_;
  unsigned operation_;
  std::shared_ptr<Function> function_;
  std::shared_ptr<Project> project_;
};

template <class T>
class Object {
 public:
  Object(detail::CheckDefinition& check, unsigned index) : check_(&check), index_(index) {}

  /// A lambda that takes the object and arguments, or a member function.
  template <class Function>
  Operation<T, Function> operation(std::string name, Function function) {
    check_->operations.push_back({.name = std::move(name), .excuse = {}});
    Operation<T, Function> made(*check_, index_, static_cast<unsigned>(check_->operations.size() - 1),
                                std::make_shared<Function>(std::move(function)), std::make_shared<detail::AsItIs>());
    made.add_without_arguments();
    return made;
  }

  /// Must hold of the object after every execution in which all operations returned.
  template <class Predicate>
  Object& at_rest(std::string name, Predicate predicate) {
    static_assert(std::is_invocable_r_v<bool, Predicate&, const T&>, "an invariant takes the object and gives a bool");
    const auto holds = [predicate](T& object) -> bool { return predicate(std::as_const(object)); };
    using Holds = std::remove_const_t<decltype(holds)>;
    check_->invariants.push_back(
        {std::move(name), std::make_unique<detail::ObjectInvoke<T, Holds, detail::AsItIs>>(
                              index_, std::make_shared<Holds>(holds), std::make_shared<detail::AsItIs>())});
    return *this;
  }

 private:
  detail::CheckDefinition* check_;
  unsigned index_;
};

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
    return Object<T>(*definition_, static_cast<unsigned>(definition_->objects.size() - 1));
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
