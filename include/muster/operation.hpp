#pragma once
// Operations of a check: what is called, with which arguments, and how its answer is seen. Made by check.hpp's objects.

#include <memory>
#include <tuple>
#include <utility>

#include "muster/callee.hpp"
#include "muster/check_definition.hpp"

namespace muster {

/// An operation to try, with the arguments given so far. Each part of the chain takes effect at once.
template <class Callee, class... Calls>
class DeclaredOperation {
 public:
  DeclaredOperation(detail::CheckDefinition& check, unsigned operation, std::shared_ptr<const Callee> callee,
                    std::tuple<Calls...> calls)
      : check_(&check), operation_(operation), callee_(std::move(callee)), calls_(std::move(calls)) {}

  /// One more invocation, with these arguments.
  template <class... Arguments>
  auto with(Arguments... arguments) {
    static_assert(Callee::template callable<detail::Passed<Arguments>...>,
                  "the operation cannot be called with these arguments");
    auto shared = std::make_shared<const std::tuple<Arguments...>>(std::move(arguments)...);
    add(shared);
    return DeclaredOperation<Callee, Calls..., detail::SharedArguments<Arguments...>>(
        *check_, operation_, callee_, std::tuple_cat(calls_, std::make_tuple(shared)));
  }
  /// Drawn so many times as often as others.
  DeclaredOperation& weight(unsigned weight) { return (self().weight = weight, *this); }
  /// Only columns with this role call it.
  DeclaredOperation& by(Role role) { return (self().role = role.index(), *this); }
  /// May also answer `excuse`, without an effect, while it overlaps another operation. Said again, it is one more.
  template <class Excuse>
  DeclaredOperation& nondeterministic_on_interference(const Excuse& excuse) {
    self().excuses.push_back(to_text(excuse));
    return *this;
  }
  /// Its effect may come after it returned.
  DeclaredOperation& asynchronous() { return (self().asynchronous = true, *this); }

  /// Answers are compared and printed as what `project` makes of them.
  template <class Projection>
  auto seen_as(Projection project) {
    static_assert(!Callee::gives,
                  "an operation that gives a handle answers the handle's name: leave .seen_as out, and pass what tells "
                  "handles apart to the slot, object.slot<Handle>(name, projection)");
    return rebuild(callee_->seen_by(detail::Shows<Projection>{std::move(project)}));
  }
  /// The answer is a handle for a later operation: it prints as the slot's name and the place of this call.
  template <class Handle>
  auto gives(Slot<Handle> slot) {
    static_assert(!Callee::is_projected,
                  "an operation that gives a handle answers the handle's name: leave .seen_as out, and pass what tells "
                  "handles apart to the slot, object.slot<Handle>(name, projection)");
    self().gives = static_cast<int>(slot.index);
    return rebuild(callee_->seen_by(detail::GivesTo<Handle>{}));
  }
  /// Also given what the calling thread has for itself, after the objects. Comes before `with`.
  template <class State>
  auto uses(PerThread<State> state) {
    self().thread_states |= std::uint64_t{1} << state.index;
    return rebuild(callee_->also_given(detail::UsesState<State>{state.index}));
  }
  /// Also given the handle that an earlier operation of its thread, or of the initial sequence, gave; nobody else gets
  /// it. Comes before `with`.
  template <class Handle>
  auto takes(Slot<Handle> slot) {
    self().takes = static_cast<int>(slot.index);
    return rebuild(callee_->also_given(detail::TakesHandle<Handle>{}));
  }
  /// The same, and the handle stays where it is.
  template <class Handle>
  auto borrows(Slot<Handle> slot) {
    self().takes = static_cast<int>(slot.index);
    self().borrows = true;
    return rebuild(callee_->also_given(detail::BorrowsHandle<Handle>{}));
  }

  /// An operation that needs no arguments is an invocation as it is.
  void add_without_arguments() {
    if constexpr (Callee::template callable<>) {
      add(std::make_shared<const std::tuple<>>());
    } else {
      self().needs_arguments = true;
    }
  }

 private:
  template <class, class...>
  friend class DeclaredOperation;

  detail::OperationDefinition& self() { return check_->operations[operation_]; }

  /// The same invocations, called in another way.
  template <class Other>
  auto rebuild(Other callee) {
    std::erase_if(check_->invocations, [&](const auto& invocation) { return invocation.operation == operation_; });
    self().incomparable = self().needs_arguments = false;
    DeclaredOperation<Other, Calls...> other(*check_, operation_, std::make_shared<const Other>(std::move(callee)),
                                             calls_);
    if constexpr (sizeof...(Calls) == 0) {
      other.add_without_arguments();
    } else {
      std::apply([&](const Calls&... calls) { (other.add(calls), ...); }, calls_);
    }
    return other;
  }

  template <class... Arguments>
  void add(std::shared_ptr<const std::tuple<Arguments...>> arguments) {
    self().needs_arguments = false;
    if constexpr (Callee::template comparable<detail::Passed<Arguments>...>()) {
      std::string text;
      std::apply(
          [&](const Arguments&... values) {
            ((text += (text.empty() ? "" : ", ") + detail::argument_text(values)), ...);
          },
          *arguments);
      check_->invocations.push_back(
          {operation_, text,
           std::make_unique<detail::CalleeInvoke<Callee, Arguments...>>(callee_, std::move(arguments))});
    } else {
      self().incomparable = true;  // unless .seen_as follows
    }
  }

  detail::CheckDefinition* check_;
  unsigned operation_;
  std::shared_ptr<const Callee> callee_;
  std::tuple<Calls...> calls_;
};

}  // namespace muster
