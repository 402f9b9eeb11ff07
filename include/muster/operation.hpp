#pragma once
// Operations of a check: what is called, with which arguments, and how its answer is seen. Made by check.hpp's objects.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/callee.hpp"
#include "muster/check_definition.hpp"

namespace muster {

namespace detail {

using ArgumentLists = std::vector<std::shared_ptr<const ArgumentList>>;

// None of these is worth a copy in every check.

template <class... Arguments>
[[gnu::noinline, gnu::cold]] std::shared_ptr<const ArgumentList> given(Arguments... arguments) {
  return std::make_shared<const Given<Arguments...>>(std::move(arguments)...);
}

[[gnu::noinline, gnu::cold]] inline const std::shared_ptr<const ArgumentList>& keep(
    ArgumentLists& lists, std::shared_ptr<const ArgumentList> arguments) {
  return lists.emplace_back(std::move(arguments));
}

[[gnu::noinline, gnu::cold]] inline unsigned add_to(CheckDefinition& check, std::string_view name, bool on_models) {
  check.operations.push_back({.name = std::string(name), .excuses = {}, .on_models = on_models});
  return static_cast<unsigned>(check.operations.size() - 1);
}

/// Adds an invocation.
[[gnu::noinline, gnu::cold]] inline void invoke_with(CheckDefinition& check, unsigned operation,
                                                     const std::shared_ptr<const void>& callee,
                                                     const std::shared_ptr<const ArgumentList>& arguments,
                                                     Invocation::Functions functions) {
  std::string text = arguments->text();
  check.invocations.push_back({operation, std::move(text), std::make_unique<Invocation>(callee, arguments, functions)});
}

}  // namespace detail

/// An operation to try, with the arguments given so far, which are of these types. Each part of the chain takes effect
/// at once.
template <class Callee, class... Signatures>
class DeclaredOperation {
 public:
  DeclaredOperation(detail::CheckDefinition& check, unsigned operation, std::shared_ptr<const Callee> callee,
                    detail::ArgumentLists calls)
      : check_(&check), operation_(operation), callee_(std::move(callee)), calls_(std::move(calls)) {}

  /// One more invocation, with these arguments.
  template <class... Arguments>
  decltype(auto) with(Arguments... arguments) {
    constexpr bool copyable = (std::is_copy_constructible_v<Arguments> && ...);
    static_assert(copyable,
                  "arguments are given again in every execution: pass muster::make(\"text\", [] { return …; }) for one "
                  "that cannot be copied");
    if constexpr (!copyable) {
      return static_cast<DeclaredOperation&>(*this);
    } else if constexpr (!Callee::template callable<detail::Passed<Arguments>...>) {
      static_assert(sizeof...(Arguments) > 1'000'000,
                    "the operation cannot be called with the object and these arguments; a lambda takes the object "
                    "first, as [](auto& queue, int value) { queue.add(value); } does");
      return static_cast<DeclaredOperation&>(*this);
    } else {
      using Signature = detail::Types<Arguments...>;
      add(Signature{}, detail::keep(calls_, detail::given(std::move(arguments)...)));
      if constexpr ((std::is_same_v<Signature, Signatures> || ...))
        return static_cast<DeclaredOperation&>(*this);
      else
        return DeclaredOperation<Callee, Signatures..., Signature>(*check_, operation_, callee_, calls_);
    }
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
      add(detail::Types<>{}, detail::given());
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
    DeclaredOperation<Other, Signatures...> other(*check_, operation_, std::make_shared<const Other>(std::move(callee)),
                                                  calls_);
    if constexpr (sizeof...(Signatures) == 0) {
      other.add_without_arguments();
    } else {
      for (const auto& call : calls_) (other.add_if(Signatures{}, call), ...);
    }
    return other;
  }

  template <class Signature>
  void add_if(Signature signature, const std::shared_ptr<const detail::ArgumentList>& arguments) {
    if (arguments->type() == typeid(Signature)) add(signature, arguments);
  }

  template <class... Arguments>
  void add(detail::Types<Arguments...>, const std::shared_ptr<const detail::ArgumentList>& arguments) {
    self().needs_arguments = false;
    if constexpr (Callee::template comparable<detail::Passed<Arguments>...>()) {
      detail::invoke_with(*check_, operation_, callee_, arguments, detail::functions_of<Callee, Arguments...>());
    } else {
      self().incomparable = true;  // unless .seen_as follows
    }
  }

  detail::CheckDefinition* check_;
  unsigned operation_;
  std::shared_ptr<const Callee> callee_;
  detail::ArgumentLists calls_;
};

}  // namespace muster
