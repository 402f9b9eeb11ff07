#pragma once
// What a check is made of: plain data that the macros and builders of check.hpp fill and the library reads.

#include <cstdint>
#include <functional>
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

/// Makes, copies and compares sequential models of an object.
struct ModelMaker : Maker {
  virtual void* copy(const void* model) const = 0;
  virtual bool equal(const void* a, const void* b) const = 0;
  virtual std::uint64_t hash(const void* model) const = 0;  // 0 if the class has none
};

/// Makes what each thread has for itself, from the objects.
struct ThreadStateMaker {
  virtual ~ThreadStateMaker() = default;
  virtual void* make(void* const* objects) const = 0;
  virtual void destroy(void* state) const = 0;
};

/// What a call can reach.
struct CallFrame {
  void* const* objects;
  void* const* thread_states;  // of the calling thread
  void* taken = nullptr;       // the handle it takes
  void* given = nullptr;       // set by a call that gives a handle: the new owner destroys it
};

/// One invocation: an operation with its arguments.
struct Invoke {
  /// A pointer, no virtual function: that would be one more to return through, and where other threads ran in between
  /// no processor predicts a return.
  using Run = void(const Invoke& self, CallFrame& frame, ResponseSink& response);

  explicit Invoke(Run* run) : run_(run) {}
  virtual ~Invoke() = default;
  void run(CallFrame& frame, ResponseSink& response) const { run_(*this, frame, response); }
  /// The same on the models of the objects; false if it cannot happen in their state.
  virtual bool run_on_models(void* const* models, ResponseSink& response) const = 0;

  virtual std::size_t argument_count() const { return 0; }
  /// Where the argument is, if it is of this type; else null.
  virtual const void* argument(std::size_t, const std::type_info&) const { return nullptr; }

 private:
  Run* run_;
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
  int role = -1;                     // index of the role that may call it; -1: any column
  std::vector<std::string> excuses;  // on interference it may also answer one of these, without any effect
  bool asynchronous = false;         // the effect may come after the return
  bool needs_arguments = false;      // and none were given yet
  bool on_models = false;            // it was declared on objects with models
  bool incomparable = false;         // it answers something that cannot be compared and printed
  std::uint64_t thread_states = 0;   // a bit for each that it uses
  int gives = -1;                    // index of the slot that its result goes to
  int takes = -1;                    // index of the slot that its first argument comes from
  bool borrows = false;              // the handle stays where it is
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

/// Handles of one kind: what operations give and others take.
struct SlotDefinition {
  std::string name;
  void (*destroy)(void* handle) = nullptr;
  /// The same text for the same handle. None: each is another one.
  std::function<void(const void* handle, Sink& sink)> put_value;
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
  std::vector<std::unique_ptr<ModelMaker>> models;  // one for each object, or null
  std::vector<std::unique_ptr<ThreadStateMaker>> thread_states;
  std::vector<SlotDefinition> slots;
  std::vector<OperationDefinition> operations;
  std::vector<InvocationDefinition> invocations;
  std::vector<RoleDefinition> roles;
  std::vector<Invariant> invariants;
  std::vector<std::string> tests;         // explicit matrices, as text
  std::string initial, last;              // sequences before and after every generated test, as text
  std::vector<std::string> suppressions;  // races in functions or files that match are meant
  std::vector<std::string> sequences;     // building blocks for generated columns, as text
  std::unique_ptr<SynchronisationDefinition> synchronisation;  // to judge by, instead of what the objects do serially
  void (*set_up)() = nullptr;
  void (*tear_down)() = nullptr;
  bool golden = false;     // the models are classes of their own: what they do serially is observed
  std::string quasi;       // factors, as "dequeue=2"; empty: linearizability is judged
  std::string quasi_spec;  // the built-in object that quasi-linearizability is judged by; empty: as without factors

  /// Judged by models, not by what is observed serially.
  bool modelled() const { return !golden && !models.empty() && models[0] != nullptr; }
};

}  // namespace muster::detail
