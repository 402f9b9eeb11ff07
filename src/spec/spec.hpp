#pragma once
// The serial behaviour that histories are judged by. A Spec names its methods and makes state spaces; a state space
// knows states by number, so that a judge can compare, hash and remember them without looking inside.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.hpp"

namespace muster {

/// Index of a method in its spec's list.
using MethodIndex = std::uint8_t;

enum class Amounts : std::uint8_t { none, any, not_negative };

struct Method {
  std::string_view name;
  std::vector<std::string_view> aliases = {};
  std::uint8_t arguments = 0;  ///< without the key
  bool observes = false;       ///< never changes the object
  bool answers_bool = false;   ///< text forms write its answer as 0 or 1
  bool result_first = false;   ///< text forms write its answer before its arguments
  std::uint8_t optional_arguments = 0;
  Amounts amounts = Amounts::none;  ///< its first argument says how many, if it is there
  bool always_works = false;        ///< it answers nothing, least of all that it did not happen
  Value idle = {};          ///< with this answer it leaves every object as it was; `none`: there is no such answer
  bool answers = false;     ///< gives something back: where a log has nothing, it was not recorded
  bool overwrites = false;  ///< leaves the same in whatever state it happens
  bool computes = false;    ///< what it leaves is neither its last argument nor what was there
  /// What makes this call one that no such object has, whatever its state; "" if nothing does. A pending call and one
  /// whose answer was not recorded have the result `none`.
  std::string (*objection)(std::span<const Value> arguments, Value result) = nullptr;
};

/// One operation as a spec sees it: names resolved, the key taken off.
struct Call {
  MethodIndex method = 0;
  std::span<const Value> arguments;
  Value result;          ///< `none`: not recorded, any answer will do
  bool pending = false;  ///< any answer will do, and the operation may as well not have happened
  ProcessId process = 0;
  Value key = {};  ///< of the object it is called on, where a judge puts several into one state space
};

using StateId = std::uint32_t;

/// The states met while judging one history; equal states have equal numbers. Used by one thread.
class StateSpace {
 public:
  virtual ~StateSpace() = default;

  virtual StateId initial() = 0;

  /// Adds to `next` every state the object may be in after `call` in `state`; adds none where the call, with its
  /// recorded answer, is not legal. Does not clear `next`.
  virtual void step(StateId state, const Call& call, std::vector<StateId>& next) = 0;

  /// Memory taken, roughly.
  virtual std::size_t bytes() const = 0;

  /// "[1 2]", for messages.
  virtual std::string describe(StateId) const { return ""; }
};

/// What adding answers, if it answers: the sum before, or the sum after.
enum class Sums : std::uint8_t { none, before, after };

/// Objects that have a near-linear monitor of their own.
enum class Family : std::uint8_t { other, queue, stack, set, whole_set, smallest_first, largest_first, reg };

class Binding;

class Spec {
 public:
  virtual ~Spec() = default;

  virtual std::string_view name() const = 0;
  virtual std::span<const Method> methods() const = 0;
  virtual std::unique_ptr<StateSpace> states() const = 0;
  /// The same where only these operations, of one key, will be asked about: what they answer may tell states apart that
  /// are none of an explanation.
  virtual std::unique_ptr<StateSpace> states_for(const Binding&, std::span<const OperationId>) const {
    return states();
  }

  /// The first argument (or the history's own key) names one of many independent objects, each with this behaviour.
  virtual bool is_keyed() const { return false; }
  /// Which monitor may judge it instead of the general search; the spec then means exactly the textbook object.
  virtual Family family() const { return Family::other; }
  /// How far removals may be out of order (see spec/relaxed.hpp); 0: the textbook object.
  virtual unsigned factor() const { return 0; }
  /// The value a register holds at first.
  virtual Value initial_value() const { return Value::nil(); }
  /// What an operation puts in, its last argument, is noticed only by those that answer it, that compare with it (their
  /// first of two arguments), or that answer false.
  virtual bool shows_what_was_put() const { return false; }
  /// A number that method 0 reads, method 1 adds to, and method 2, if there is one, takes from; not `none` if it is
  /// one.
  virtual Sums sums() const { return Sums::none; }
  /// Two operations with equal method, arguments and answer still differ if different processes call them.
  virtual bool tells_processes_apart() const { return false; }
};

using SpecPtr = std::shared_ptr<const Spec>;

/// A history's operations as calls of a spec. Throws Error naming the line of the first operation that the spec does
/// not know.
class Binding {
 public:
  Binding(const History& history, const Spec& spec);

  MethodIndex method(const Operation& operation) const { return methods_[operation.method]; }
  const Method& described(const Operation& operation) const { return spec_->methods()[method(operation)]; }
  Value key(const Operation& operation) const {
    return operation.key.is_none() && keyed_ ? history_->arguments(operation)[0] : operation.key;
  }
  std::span<const Value> arguments(const Operation& operation) const {
    const auto all = history_->arguments(operation);
    return keyed_ && operation.key.is_none() ? all.subspan(1) : all;
  }
  Call call(const Operation& operation) const {
    return {method(operation),      arguments(operation), operation.result,
            operation.is_pending(), operation.process,    key(operation)};
  }
  /// Leaves the object as it is, in whatever state it happens.
  bool never_changes(const Operation& operation) const {
    const Method& method = described(operation);
    return method.observes || (!operation.is_pending() && !method.idle.is_none() && operation.result == method.idle);
  }
  bool has_keys() const { return has_keys_; }
  const History& history() const { return *history_; }
  const Spec& spec() const { return *spec_; }

 private:
  const History* history_;
  const Spec* spec_;
  bool keyed_;
  bool has_keys_ = false;
  std::vector<MethodIndex> methods_;  ///< by MethodId
};

/// Names of operations: letters compared without case, `-` as `_`.
bool same_name(std::string_view a, std::string_view b);

/// Index of the method with this name or alias (letters compared without case, `-` as `_`); -1 if there is none.
int find_method(const Spec& spec, std::string_view name);

/// Tells a history which of its methods answer, and of a positional one which value is an argument and which the
/// response. Throws Error where there are too few or too many.
void arrange(History& history, const Spec& spec);

}  // namespace muster
