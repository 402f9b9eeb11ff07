#include "check/columns.hpp"

#include <algorithm>
#include <stdexcept>
#include <typeinfo>
#include <utility>

#include "base/error.hpp"
#include "check/alike.hpp"
#include "check/steering.hpp"

namespace muster {

Columns::Columns(const CheckDefinition& check, const Test& test)
    : check_(check),
      operations_(operations_of(test)),
      handles_(check, operations_),
      main_{this, 0, 0, {}},
      started_(test.columns.size()),
      same_(alike_columns(check, test, Symmetry::threads)),
      same_but_values_(alike_columns(check, test, Symmetry::data)) {
  if (operations_.size() > max_operations)
    fail("check {}: a test may have at most {} operations", check.name, max_operations);
  auto at = static_cast<unsigned>(test.first.size());
  first_end_ = at;
  for (const Sequence& column : test.columns) {
    const auto end = at + static_cast<unsigned>(column.size());
    columns_.push_back({this, at, end, {}});
    at = end;
  }
  last_begin_ = at;
  for (unsigned i = 0; i < operations_.size(); ++i) columns_.push_back({this, i, i + 1, {}});
  objects_.resize(check.objects.size());
  thread_states_.resize((1 + started_) * check.thread_states.size());
  uses_.resize(1 + started_);
  for (const TestOperation& operation : operations_) {
    uses_[static_cast<std::size_t>(operation.column + 1)] |=
        check.operations[check.invocations[operation.invocation].operation].thread_states;
  }
}

/// Does not return to where the thread was started, nor does `run_column`: the processor predicts no return of a thread
/// that others ran in between, and each of a few functions below each other would cost more than it does. For the same
/// reason each of the two is one function, without what few executions come to: that would be more code to go through.
[[gnu::flatten]] void Columns::body(void* self) {
  static_cast<Columns*>(self)->run();
  engine->finish_thread(nullptr);
}

void Columns::run() {
  if (!begin()) return;
  engine->blocking().join_all();
  if (test_events || last_begin_ < operations_.size()) [[unlikely]]
    perform_last();
  engine->reduction().stop_reporting();
  if (!golden_) [[likely]] {
    look_at_invariants();
    handles_.destroy();
    destroy_thread_states();
  }
  for (std::size_t i = objects_.size(); i-- > 0;) maker(i).destroy(objects_[i]);
  if (check_.tear_down) check_.tear_down();
}

/// False if there is nothing to check.
[[gnu::noinline]] bool Columns::begin() {
  broken_ = nullptr;
  handles_.forget();
  if (check_.set_up) check_.set_up();
  if (!make_objects()) return false;
  for (unsigned i = 0; i < first_end_; ++i) perform(main_, i);
  for (std::size_t i = 0; i < started_; ++i) start(columns_[i]);
  return true;
}

[[gnu::noinline]] void Columns::perform_last() {
  for (std::size_t i = 0; test_events && i < started_; ++i) test_events->joined(static_cast<ThreadId>(i + 1));
  for (unsigned i = last_begin_; i < operations_.size(); ++i) perform(main_, i);
}

/// False if a constructor or factory failed.
bool Columns::make_objects() {
  main_.answer.clear();
  try {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      objects_[i] = maker(i).make();
      if (!objects_[i]) throw std::logic_error("the factory gave no object");
    }
    if (!golden_) make_thread_states();
    return true;
  } catch (const std::exception& error) {
    const OwnWork work;
    main_.answer.exception(typeid(error).name(), error.what());
  } catch (...) {
    const OwnWork work;
    main_.answer.exception("something that is no std::exception", "");
  }
  const OwnWork work;
  not_made_ = main_.answer.text();
  return false;
}

const detail::Maker& Columns::maker(std::size_t object) const {
  if (golden_) return *check_.models[object];
  return *check_.objects[object];
}

/// What threads have for themselves exists before anything is called, so that every execution starts from the same
/// state.
void Columns::make_thread_states() {
  for_each_thread_state(
      [this](const detail::ThreadStateMaker& maker, void*& state) { state = maker.make(objects_.data()); });
}

void Columns::destroy_thread_states() {
  for_each_thread_state([](const detail::ThreadStateMaker& maker, void*& state) { maker.destroy(state); });
}

template <class Function>
void Columns::for_each_thread_state(Function function) {
  const std::size_t count = check_.thread_states.size();
  if (count == 0) return;
  for (std::size_t thread = 0; thread < uses_.size(); ++thread) {
    for (std::size_t i = 0; i < count; ++i) {
      if (uses_[thread] >> i & 1) function(*check_.thread_states[i], thread_states_[thread * count + i]);
    }
  }
}

[[gnu::noinline]] void Columns::start(Column& column) {
  Thread& thread = engine->spawn(&Columns::run_column, &column, 0);
  if (&column < columns_.data() + started_) make_alike(thread, static_cast<std::size_t>(&column - columns_.data()));
  engine->blocking().join_later(thread.id);
  if (test_events) test_events->started(thread.id);
}

void Columns::make_alike(Thread& thread, std::size_t column) {
  const Symmetry symmetry = engine->reduction().symmetry();
  if (symmetry == Symmetry::none) return;
  const std::size_t other = (symmetry == Symmetry::data ? same_but_values_ : same_)[column];
  ReducedExecution::make_alike(thread, static_cast<ThreadId>(thread.id - (column - other)));
}

[[gnu::flatten]] void* Columns::run_column(void* pointer) {
  Column& column = *static_cast<Column*>(pointer);
  column.columns->perform_all(column);
  engine->finish_thread(nullptr);
}

void Columns::perform_all(Column& column) {
  for (unsigned i = column.begin; i < column.end; ++i) {
    const auto& operation = check_.operations[check_.invocations[operations_[i].invocation].operation];
    // In a serial execution only what its thread did before precedes an asynchronous operation: it runs beside its
    // column.
    if (serial_ && operation.asynchronous && column.end - column.begin > 1) [[unlikely]] {
      start(columns_[started_ + i]);
    } else {
      perform(column, i);
    }
  }
}

void Columns::perform(Column& column, unsigned operation) {
  column.answer.clear();
  engine->mark(operation, Mark::call, {});
  if (serial_ || golden_ || test_events) [[unlikely]] {
    call_otherwise(column, operation);
  } else {
    call(column, operation);
  }
  engine->mark(operation, Mark::ret, std::as_bytes(std::span(column.answer.text())));
  column.answer.clear();
}

void Columns::call(Column& column, unsigned operation) {
  handles_.call(operation, {.objects = objects_.data(), .thread_states = states_of(operations_[operation].column)},
                column.answer);
}

/// Serially an operation may be excused, golden classes are called without handles, and who watches is told.
[[gnu::noinline]] void Columns::call_otherwise(Column& column, unsigned operation) {
  const auto& invocation = check_.invocations[operations_[operation].invocation];
  if (test_events) test_events->called();
  if (serial_ && !check_.operations[invocation.operation].excuses.empty() && engine->choose(PointKind::value, 2) > 0) {
    const OwnWork work;
    column.answer.put(&AnswerText::excuse_mark, 1);
  } else if (golden_) {
    invocation.invoke->run_on_models(objects_.data(), column.answer);
  } else {
    call(column, operation);
  }
  if (test_events) test_events->returned();
}

bool Columns::goes_back() const { return !test_events && !golden_; }

void Columns::pass(Tape& tape) {
  // Objects and states of threads are made anew by an execution that goes back to before they were.
  handles_.pass(tape);
  std::size_t answers = main_.answer.text().size();
  const std::size_t used = serial_ ? columns_.size() : started_;
  for (std::size_t i = 0; i < used; ++i) answers |= columns_[i].answer.text().size();
  struct State {
    const std::string* broken;
    bool answering;
  };
  State state{broken_, answers != 0};
  tape.pass(state);
  broken_ = state.broken;
  if (!state.answering && answers == 0) [[likely]]
    return;
  for (std::size_t i = 0; i < used; ++i) pass_answer(tape, columns_[i], state.answering);
  pass_answer(tape, main_, state.answering);
}

/// Between calls answers are empty, and nearly all points lie before a call answers: then nothing of it is saved.
void Columns::pass_answer(Tape& tape, Column& column, bool saved) {
  if (saved) {
    column.answer.pass(tape);
  } else {
    column.answer.clear();
  }
}

void Columns::look_at_invariants() {
  for (const auto& invariant : check_.invariants) {
    main_.answer.clear();
    detail::CallFrame frame{.objects = objects_.data(), .thread_states = nullptr};
    invariant.holds->run(frame, main_.answer);
    if (main_.answer.text() != "true" && !broken_) broken_ = &invariant.name;
  }
}

}  // namespace muster
