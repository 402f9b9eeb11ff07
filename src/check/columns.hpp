#pragma once
// Runs a test: model thread 0 makes the objects, calls the initial sequence, starts a model thread for each column,
// calls the final sequence once all have finished, and destroys the objects. Calls and returns are marks.

#include "rule/handles.hpp"
#include "rule/recorded.hpp"
#include "runtime/engine.hpp"

namespace muster {

class Columns {
 public:
  Columns(const CheckDefinition& check, const Test& test);

  Program program() { return {&Columns::body, this}; }

  /// Serial executions may also answer for an operation as declared, and run asynchronous ones later.
  void set_serial(bool serial) { serial_ = serial; }
  /// Calls the golden classes of the check instead of its objects.
  void set_golden(bool golden) { golden_ = golden; }

  /// The state of the execution under way.
  bool goes_back() const;
  void pass(Tape& tape);

  /// How many columns the test has.
  std::size_t started() const { return started_; }

  /// Of the last execution: an invariant that did not hold at rest, if any.
  const std::string* broken_invariant() const { return broken_; }
  /// Why the objects could not be made; empty if they could.
  const std::string& not_made() const { return not_made_; }

 private:
  struct Column {
    Columns* columns;
    unsigned begin, end;  // its operations
    AnswerText answer;    // to the call under way
  };

  static void body(void* self);
  static void* run_column(void* column);
  void run();
  bool begin();
  void perform_last();
  void perform_all(Column& column);
  void perform(Column& column, unsigned operation);
  void call(Column& column, unsigned operation);
  void call_otherwise(Column& column, unsigned operation);
  void make_alike(Thread& thread, std::size_t column);
  void start(Column& column);
  static void pass_answer(Tape& tape, Column& column, bool saved);
  void look_at_invariants();
  bool make_objects();
  const detail::Maker& maker(std::size_t object) const;
  void make_thread_states();
  void destroy_thread_states();
  template <class Function>
  void for_each_thread_state(Function function);
  void** states_of(int column) {
    return thread_states_.data() + static_cast<std::size_t>(column + 1) * check_.thread_states.size();
  }

  const CheckDefinition& check_;
  std::vector<TestOperation> operations_;
  Handles handles_;  // of the execution under way
  unsigned first_end_ = 0, last_begin_ = 0;
  bool serial_ = false, golden_ = false;

  // The state of one execution: begin sets all of it.
  std::vector<Column> columns_;  // those of the test, then one for each asynchronous operation
  Column main_;
  std::size_t started_ = 0;                          // columns of the test
  std::vector<std::size_t> same_, same_but_values_;  // for each of them the last one before it that is alike, or itself
  const std::string* broken_ = nullptr;
  std::string not_made_;
  std::vector<void*> objects_;
  std::vector<void*> thread_states_;  // of the initial and final sequences' thread, then of each column
  std::vector<std::uint64_t> uses_;   // which of them each thread has
};

}  // namespace muster
