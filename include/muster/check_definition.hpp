#pragma once
// What a check is made of: plain data that the macros and builders of check.hpp fill and the library reads.

#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "muster/response.hpp"

namespace muster::detail {

/// Where the response of a call goes.
class ResponseSink : public Sink {
 public:
  using Sink::put;
  virtual void exception(const char* type, const char* message) = 0;

 protected:
  ~ResponseSink() = default;
};

/// Makes an object under test anew for each execution.
struct Maker {
  virtual ~Maker() = default;
  virtual void* make() const = 0;
  virtual void destroy(void* object) const = 0;
};

/// What a call can reach: the objects of the check.
struct CallFrame {
  void* const* objects;
};

/// One invocation: an operation with its arguments.
struct Invoke {
  virtual ~Invoke() = default;
  virtual void run(CallFrame& frame, ResponseSink& response) const = 0;

  virtual std::size_t arguments() const { return 0; }
  /// Where the argument is, if it is of this type; else null.
  virtual const void* argument(std::size_t, const std::type_info&) const { return nullptr; }
};

/// Where the outcomes of a synchronisation go.
class OutcomeSink {
 public:
  /// `state` is a new one, which the sink keeps.
  virtual void outcome(void* state, const std::vector<std::string>& responses) = 0;

 protected:
  ~OutcomeSink() = default;
};

/// One mode of synchronisation: who takes part, and what they give each other.
struct ModeDefinition {
  std::vector<std::string> participants;  // names of operations
  virtual ~ModeDefinition() = default;
  virtual std::size_t parameters() const = 0;  // participants that the function takes
  /// False if an invocation passes something of another type than the function takes.
  virtual bool run(const void* state, const Invoke* const* invokes, OutcomeSink& sink) const = 0;
};

/// A synchronisation spec: its state and its modes.
struct SynchronisationDefinition {
  virtual ~SynchronisationDefinition() = default;
  virtual bool stateless() const = 0;
  virtual void* initial() const = 0;
  virtual void destroy(void* state) const = 0;
  virtual bool equal(const void* a, const void* b) const = 0;
  std::vector<std::unique_ptr<ModeDefinition>> modes;
  bool divergence_free = false;
};

struct OperationDefinition {
  std::string name;
  unsigned weight = 1;
  int role = -1;                  // index of the role that may call it; -1: any column
  bool nondeterministic = false;  // on interference: may then answer `excuse` without any effect
  std::string excuse;
  bool asynchronous = false;     // the effect may come after the return
  bool needs_arguments = false;  // and none were given yet
  bool incomparable = false;     // it answers something that cannot be compared and printed
};

struct InvocationDefinition {
  unsigned operation = 0;
  std::string arguments;  // "200", "1, 2"
  std::unique_ptr<Invoke> invoke;
};

struct RoleDefinition {
  std::string name;
  unsigned columns = 1;  // so many columns have it
};

/// A predicate that holds whenever no operation is pending at the end of an execution.
struct Invariant {
  std::string name;
  std::unique_ptr<Invoke> holds;  // answers "true" or "false"
};

struct CheckDefinition {
  std::string name;
  std::string file;
  int line = 0;
  std::vector<std::unique_ptr<Maker>> objects;
  std::vector<OperationDefinition> operations;
  std::vector<InvocationDefinition> invocations;
  std::vector<RoleDefinition> roles;
  std::vector<Invariant> invariants;
  std::vector<std::string> tests;      // explicit matrices, as text
  std::string initial, last;           // sequences before and after every generated test, as text
  std::vector<std::string> sequences;  // building blocks for generated columns, as text
  std::unique_ptr<SynchronisationDefinition> synchronisation;  // to judge by, instead of what the objects do serially
  void (*set_up)() = nullptr;
  void (*tear_down)() = nullptr;
};

}  // namespace muster::detail
