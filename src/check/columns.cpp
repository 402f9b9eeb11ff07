#include "check/columns.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace muster {
namespace {

/// While one lives, what the library allocates is its own.
class Quiet {
 public:
  Quiet() : was_(std::exchange(controlled, false)) {}
  ~Quiet() { controlled = was_; }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  bool was_;
};

}  // namespace

Columns::Columns(const CheckDefinition& check, const Test& test)
    : check_(check), operations_(operations_of(test)), main_(this, 0, 0), started_(test.columns.size()) {
  if (operations_.size() > max_operations)
    fail("check {}: a test may have at most {} operations", check.name, max_operations);
  auto at = static_cast<unsigned>(test.first.size());
  first_end_ = at;
  for (const Sequence& column : test.columns) {
    const auto end = at + static_cast<unsigned>(column.size());
    columns_.emplace_back(this, at, end);
    at = end;
  }
  last_begin_ = at;
  for (unsigned i = 0; i < operations_.size(); ++i) columns_.emplace_back(this, i, i + 1);
  objects_.resize(check.objects.size());
}

void Columns::body(void* self) { static_cast<Columns*>(self)->run(); }

void Columns::run() {
  broken_ = nullptr;
  if (check_.set_up) check_.set_up();
  for (std::size_t i = 0; i < objects_.size(); ++i) objects_[i] = check_.objects[i]->make();
  for (unsigned i = 0; i < first_end_; ++i) perform(main_, i);
  for (std::size_t i = 0; i < started_; ++i) start(columns_[i]);
  engine->join_all();
  for (unsigned i = last_begin_; i < operations_.size(); ++i) perform(main_, i);
  look_at_invariants();
  for (std::size_t i = objects_.size(); i-- > 0;) check_.objects[i]->destroy(objects_[i]);
  if (check_.tear_down) check_.tear_down();
}

void Columns::start(Column& column) { engine->join_later(engine->spawn(&Columns::run_column, &column, 0)); }

void* Columns::run_column(void* pointer) {
  Column& column = *static_cast<Column*>(pointer);
  column.columns->perform_all(column);
  return nullptr;
}

void Columns::perform_all(Column& column) {
  for (unsigned i = column.begin; i < column.end; ++i) {
    const auto& operation = check_.operations[check_.invocations[operations_[i].invocation].operation];
    // In a serial execution only what its thread did before precedes an asynchronous operation: it runs beside its
    // column.
    if (serial_ && operation.asynchronous && column.end - column.begin > 1) {
      start(columns_[started_ + i]);
    } else {
      perform(column, i);
    }
  }
}

void Columns::perform(Column& column, unsigned operation) {
  const auto& invocation = check_.invocations[operations_[operation].invocation];
  const auto& definition = check_.operations[invocation.operation];
  column.answer.clear();
  engine->mark(operation, Mark::call, {});
  if (definition.nondeterministic && serial_ && engine->choose(PointKind::value, 2) == 1) {
    const Quiet quiet;
    column.answer.push_back(excuse_mark);
    column.put(definition.excuse.data(), definition.excuse.size());
  } else {
    detail::CallFrame frame{objects_.data()};
    invocation.invoke->run(frame, column);
  }
  engine->mark(operation, Mark::ret, std::as_bytes(std::span(column.answer)));
}

void Columns::look_at_invariants() {
  for (const auto& invariant : check_.invariants) {
    main_.answer.clear();
    detail::CallFrame frame{objects_.data()};
    invariant.holds->run(frame, main_);
    if (std::string_view(main_.answer.data(), main_.answer.size()) != "true" && !broken_) broken_ = &invariant.name;
  }
}

void Columns::Column::exception(const char* type, const char* message) {
  int status = 0;
  char* readable = abi::__cxa_demangle(type, nullptr, nullptr, &status);
  const char* name = readable ? readable : type;
  answer.clear();
  put("throws ", 7);
  put(name, std::strlen(name));
  if (*message) put(": ", 2);
  put(message, std::strlen(message));
  std::free(readable);
}

}  // namespace muster
