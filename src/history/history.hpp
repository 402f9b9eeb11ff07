#pragma once
// The calls and returns of one execution, in order.
//
//   HistoryBuilder build("example");
//   const OperationId push = build.call(build.process("A"), build.method("push"), {Value::integer(1)});
//   build.returned(push, Value());
//   const History history = build.finish();

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "history/operation.hpp"
#include "history/precedence.hpp"
#include "history/value.hpp"

namespace muster {

/// What was done to the system beside the operations (Jepsen's nemesis), for who looks at the log.
struct Disturbance {
  std::string text;
  Position before = 0;  ///< the first call or return after it
  std::optional<std::int64_t> time;
  std::uint32_t line = 0;
};

/// What a reader learned from a file besides its operations, and the rules it read by.
struct HistorySource {
  std::string name;                       ///< file name, for messages
  std::string format;                     ///< "" if the history was built by a program
  std::string object;                     ///< the object the file names; "" if it names none
  std::optional<Value> initial;           ///< initial value the file or its format states
  std::size_t ignored = 0;                ///< entries that are no operations (nemesis, noise)
  std::size_t unknown = 0;                ///< operations whose outcome is recorded as unknown
  std::size_t failed = 0;                 ///< operations that did not happen and were left out
  std::uint32_t untimed = 0;              ///< line of an operation whose call or return lacks the time that others have
  std::vector<Disturbance> disturbances;  ///< among the ignored
  bool largest_first = false;             ///< a priority queue of this format gives the largest first
  bool bare_is_empty = false;             ///< a removal of this format that returns without a value found nothing
};

class History {
 public:
  std::size_t size() const { return operations_.size(); }
  bool empty() const { return operations_.empty(); }
  const Operation& operator[](OperationId id) const { return operations_[id]; }
  std::span<const Operation> operations() const { return operations_; }

  std::span<const Value> arguments(const Operation& operation) const {
    return {arguments_.data() + operation.first_argument, operation.argument_count};
  }
  std::span<const Value> arguments(OperationId id) const { return arguments(operations_[id]); }

  std::string_view method_name(MethodId method) const { return methods_[method]; }
  std::span<const std::string> methods() const { return methods_; }
  /// Whether this method gives something back, so that an answer that is not there was not recorded: known once a spec
  /// has arranged the history.
  bool answers(MethodId method) const { return method < answering_.size() && answering_[method]; }
  void set_answering(std::vector<bool> by_method) { answering_ = std::move(by_method); }
  Value process_name(ProcessId process) const { return processes_[process]; }
  std::size_t process_count() const { return processes_.size(); }

  /// All positions are below this.
  Position positions() const { return positions_; }
  std::size_t pending() const { return pending_; }
  bool is_complete() const { return pending_ == 0; }

  /// a returned before b was called, or the matrix says so.
  bool precedes(OperationId a, OperationId b) const {
    if (matrix_) return matrix_->test(a, b);
    return operations_[a].ret < operations_[b].call;
  }
  /// Set where precedence is not given by positions.
  const PrecedenceMatrix* matrix() const { return matrix_.get(); }
  void set_precedence(PrecedenceMatrix matrix) {
    matrix_ = std::make_shared<const PrecedenceMatrix>(std::move(matrix));
  }

  /// Recorded times of call and return, `no_time` where there is none. A pending operation returns at the largest
  /// number.
  static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();
  std::int64_t call_time(OperationId id) const { return id < call_times_.size() ? call_times_[id] : no_time; }
  std::int64_t return_time(OperationId id) const { return id < return_times_.size() ? return_times_[id] : no_time; }
  /// All of them are there.
  bool has_times() const { return has_times_; }

  const HistorySource& source() const { return source_; }
  HistorySource& source() { return source_; }

  /// Values of an operation stand in one row, response included, until a spec says which is which (see
  /// spec/arrange.hpp).
  bool is_positional() const { return positional_; }

  /// The history of some of its operations, in the order given; positions are kept.
  History restricted_to(std::span<const OperationId> ids) const;

  /// Changes every operation in place; the callback may not touch positions.
  template <class F>
  void rewrite(F&& change) {
    for (Operation& operation : operations_) {
      change(operation, std::span(arguments_.data() + operation.first_argument, operation.argument_count));
    }
  }
  void set_positional(bool positional) { positional_ = positional; }

  /// The same operations with other positions: (call, return) for each. What does not return any more has no result.
  /// Times are kept.
  History with_positions(std::span<const std::pair<Position, Position>> positions) const;

 private:
  friend class HistoryBuilder;

  std::vector<Operation> operations_;
  std::vector<Value> arguments_;
  std::vector<std::string> methods_;
  std::vector<bool> answering_;  ///< by method; empty: none is known to
  std::vector<Value> processes_;
  std::vector<std::int64_t> call_times_;
  std::vector<std::int64_t> return_times_;
  std::shared_ptr<const PrecedenceMatrix> matrix_;
  HistorySource source_;
  Position positions_ = 0;
  std::size_t pending_ = 0;
  bool positional_ = false;
  bool has_times_ = false;
};

/// What stands first where a call and a return carry the same time.
enum class Ties {
  overlap,  ///< the call: intervals that touch overlap, so less is claimed to be ordered
  precede,  ///< the return: intervals that touch are ordered
};

/// Takes events in order, or whole intervals in any order, but not both.
class HistoryBuilder {
 public:
  explicit HistoryBuilder(std::string name = "history") { history_.source_.name = std::move(name); }

  MethodId method(std::string_view name);
  ProcessId process(std::string_view name) { return process(Value::symbol(name)); }
  ProcessId process(Value name);

  OperationId call(ProcessId process, MethodId method, std::initializer_list<Value> arguments, std::uint32_t line = 0) {
    return call(process, method, std::span(arguments.begin(), arguments.size()), line);
  }
  OperationId call(ProcessId process, MethodId method, std::span<const Value> arguments, std::uint32_t line = 0);
  void returned(OperationId id, Value result);

  /// A whole operation, by time; `end` is `still_pending` for one that never returned. Order comes from `finish`.
  static constexpr std::int64_t still_pending = std::numeric_limits<std::int64_t>::max();
  OperationId interval(ProcessId process, MethodId method, std::span<const Value> arguments, Value result,
                       std::int64_t start, std::int64_t end, std::uint32_t line = 0);

  /// Times of events; the order of events stays that of the calls to this builder.
  void at_call(OperationId id, std::int64_t time);
  void at_return(OperationId id, std::int64_t time);

  void set_result(OperationId id, Value result) { history_.operations_[id].result = result; }
  void set_key(OperationId id, Value key) { history_.operations_[id].key = key; }
  void set_arguments(OperationId id, std::span<const Value> arguments);
  /// The operation did not happen.
  void drop(OperationId id);

  const Operation& operation(OperationId id) const { return history_.operations_[id]; }
  /// Of the next call or return.
  Position next_position() const { return history_.positions_; }
  std::span<const Value> arguments(OperationId id) const { return history_.arguments(id); }
  std::size_t size() const { return history_.operations_.size(); }
  HistorySource& source() { return history_.source_; }
  std::string_view method_name(MethodId method) const { return history_.methods_[method]; }
  Value process_name(ProcessId process) const { return history_.processes_[process]; }
  void set_positional() { history_.positional_ = true; }

  History finish(Ties ties = Ties::overlap);

 private:
  OperationId add(ProcessId process, MethodId method, std::span<const Value> arguments, std::uint32_t line);
  void set_time(std::vector<std::int64_t>& times, OperationId id, std::int64_t time);
  void leave_out_dropped();
  void note_missing_times();

  History history_;
  std::unordered_map<std::string, MethodId> method_ids_;
  std::unordered_map<Value, ProcessId> process_ids_;
  std::vector<ProcessId> small_processes_;  ///< by integer name, plus one; 0 if unknown
  std::vector<OperationId> dropped_;
  std::uint64_t last_method_word_ = 0;  ///< first letters of the last method asked for, which is most often asked again
  bool intervals_ = false;
  bool timed_events_ = false;
};

/// The small text form, one event or one whole operation a line; an operation that has not returned is pending:
///
///   A: push(1)            call
///   B: pop() -> 1         call and return
///   A: -> ok              return of A's call
History parse_history(std::string_view text, const std::string& name = "history");

/// "pop() -> 1", "push(1)", "push(1) -> ok", "pop() -> ?" if its answer was not recorded.
std::string to_string(const History& history, OperationId id);

/// "1", "?" if it was not recorded, "" if there is none.
std::string answer_text(const History& history, const Operation& operation);

/// The history in the small text form, which parse_history reads back.
std::string to_text(const History& history);

}  // namespace muster
