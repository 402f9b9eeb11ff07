#include "history/jepsen_entries.hpp"

#include <algorithm>
#include <array>

namespace muster {
namespace {

/// Of an entry that is no operation and lacks a name.
constexpr std::string_view unnamed = "disturbance";

/// Operations that take nothing and give the value: what their invocation carries is no argument.
bool only_reads(std::string_view name) {
  constexpr std::array names{"read", "get", "r", "dequeue", "deq", "pop", "poll", "peek", "take", "drain"};
  return std::ranges::find(names, name) != names.end();
}
bool compares(std::string_view name) { return name == "cas" || name == "compare-and-set" || name == "compare_and_set"; }

/// Operations that give nothing back: their completion repeats what they were asked to write or put in.
bool only_writes(std::string_view name) {
  constexpr std::array names{"write", "w", "enqueue", "enq", "push"};
  return std::ranges::find(names, name) != names.end();
}

/// A completion may also say whether it worked, or how it went (`:ok`, `:timeout`).
bool is_another_value(Value answered, Value asked) {
  const bool is_word = answered.kind() == Value::Kind::boolean || answered.kind() == Value::Kind::symbol;
  return !answered.is_none() && !answered.is_nil() && !is_word && answered != asked;
}

bool is_pair(Value value) { return value.kind() == Value::Kind::list && value.items().size() == 2; }

bool is_transaction(std::string_view name) { return name == "txn" || name == "transaction"; }

/// `[:w :x 1]`, with whatever name.
bool is_micro_operation(Value value) {
  if (value.kind() != Value::Kind::list || value.items().empty()) return false;
  const Value::Kind first = value.items()[0].kind();
  return first == Value::Kind::symbol || first == Value::Kind::text;
}

/// Whether an operation of this name may mean a key and a value by it: two micro-operations are a whole transaction.
bool may_carry_key(std::string_view name, Value value) {
  return is_pair(value) && !(is_transaction(name) && std::ranges::all_of(value.items(), is_micro_operation));
}

}  // namespace

JepsenEntries::JepsenEntries(HistoryBuilder& build, std::string file, Failed failed, std::optional<bool> keys_in_values)
    : build_(build), file_(std::move(file)), failed_(failed), keys_in_values_(keys_in_values) {
  build_.source().initial = Value::nil();
}

std::string_view JepsenEntries::name_of(const Entry& entry) {
  if (!entry.name.empty()) return entry.name;
  const bool is_txn = entry.value.kind() == Value::Kind::list && !entry.value.items().empty() &&
                      std::ranges::all_of(entry.value.items(), is_micro_operation);
  if (is_txn) return "txn";
  if (entry.process.is_none()) return "";
  if (!entry.process.is_integer()) return unnamed;
  const auto open = entry.type == ":invoke" ? std::nullopt : open_.find(build_.process(entry.process));
  return open ? build_.method_name(build_.operation(*open).method) : "";
}

void JepsenEntries::note_disturbance(const Entry& entry) {
  ++build_.source().ignored;
  std::string text = to_string(entry.process);
  if (!entry.name.empty() && entry.name != unnamed) text += fmt::format(" {}", entry.name);
  if (!entry.value.is_nil() && !entry.value.is_none()) text += fmt::format(" {}", to_string(entry.value));
  build_.source().disturbances.push_back({std::move(text), build_.next_position(), entry.time, entry.line});
}

void JepsenEntries::add(const Entry& entry, MethodId method) {
  if (entry.process.is_none()) {
    add_alone(entry, method);
    return;
  }
  if (!entry.process.is_integer()) {
    note_disturbance(entry);
    return;
  }
  const ProcessId process = build_.process(entry.process);
  if (entry.type == ":invoke") {
    invoke(entry, process, method);
  } else {
    complete(entry, process, method);
  }
}

void JepsenEntries::add_alone(const Entry& entry, MethodId method) {
  if (entry.type != ":ok" && entry.type != ":info") {
    ++(entry.type == ":fail" ? build_.source().failed : build_.source().ignored);
    return;
  }
  const ProcessId process = build_.process(Value::text(fmt::format("line {}", entry.line)));
  const OperationId id = build_.call(process, method, {entry.value}, entry.line);
  if (!entry.key.is_none()) build_.set_key(id, entry.key);
  note_shape(entry, build_.method_name(method));
  if (entry.type == ":ok") {
    alone_.emplace_back(id, entry.value);
  } else {
    ++build_.source().unknown;
  }
}

void JepsenEntries::finish() {
  for (const auto& [id, value] : alone_) build_.returned(id, value);
  std::ranges::sort(observed_);
  const bool keyed = keys_in_values_.value_or(all_pairs_ && some_key_);
  for (OperationId id = 0; id < build_.size(); ++id) interpret(id, keyed);
}

void JepsenEntries::invoke(const Entry& entry, ProcessId process, MethodId method) {
  if (open_.has(process)) {
    fail("{}:{}: process {} invokes again before its last operation completed", file_, entry.line,
         to_string(entry.process));
  }
  const OperationId id = build_.call(process, method, {entry.value}, entry.line);
  if (!entry.key.is_none()) build_.set_key(id, entry.key);
  if (entry.time) build_.at_call(id, *entry.time);
  open_.put(process, id);
  note_shape(entry, build_.method_name(method));
}

void JepsenEntries::complete(const Entry& entry, ProcessId process, MethodId method) {
  const auto id = open_.take(process);
  if (!id) {
    if (entry.type != ":info")
      fail("{}:{}: {} of process {}, which has invoked nothing", file_, entry.line, entry.type,
           to_string(entry.process));
    ++build_.source().ignored;
    return;
  }
  if (entry.type == ":info") {
    ++build_.source().unknown;
    return;
  }
  if (const Operation& invoked = build_.operation(*id); invoked.method != method) {
    fail("{}:{}: {} of `{}`, but process {} has invoked `{}` in line {}", file_, entry.line, entry.type, entry.name,
         to_string(entry.process), build_.method_name(invoked.method), invoked.line);
  }
  if (entry.type == ":ok") {
    build_.returned(*id, entry.value);
  } else if (failed_ == Failed::observed && compares(build_.method_name(build_.operation(*id).method))) {
    build_.returned(*id, Value::boolean(false));
    observed_.push_back(*id);
  } else {
    build_.drop(*id);
    return;
  }
  if (entry.time) build_.at_return(*id, *entry.time);
}

/// Values of `independent` are pairs [k v]: so is every value then, and a read's, a write's or a nested
/// compare-and-set shows it.
void JepsenEntries::note_shape(const Entry& entry, std::string_view name) {
  const bool pair = may_carry_key(name, entry.value);
  all_pairs_ &= pair && entry.key.is_none();
  some_key_ |= pair && (!compares(name) || is_pair(entry.value.items()[1]));
}

void JepsenEntries::interpret(OperationId id, bool keyed) {
  const Operation operation = build_.operation(id);
  const std::string name(build_.method_name(operation.method));
  Value asked = build_.arguments(id)[0], answered = operation.result;
  const bool is_observed = std::ranges::binary_search(observed_, id);
  if (keyed) {
    if (!may_carry_key(name, asked))
      fail("{}:{}: the value {} is not a pair [key value]", file_, operation.line, to_string(asked));
    build_.set_key(id, asked.items()[0]);
    asked = asked.items()[1];
    if (may_carry_key(name, answered)) answered = answered.items()[1];
  }
  if (only_reads(name)) {
    build_.set_arguments(id, {});
    build_.set_result(id, answered);
  } else if (compares(name) && is_pair(asked)) {
    build_.set_arguments(id, asked.items());
    build_.set_result(id, operation.is_pending() ? Value()
                          : is_observed          ? Value::boolean(false)
                                                 : Value::boolean(true));
  } else {
    if (asked.is_nil()) {
      build_.set_arguments(id, {});
    } else if (is_transaction(name)) {
      // One that repeats what was asked has read nil: that is an answer.
      build_.set_arguments(id, std::span(&asked, 1));
      if (answered.is_nil()) answered = Value();
    } else {
      build_.set_arguments(id, std::span(&asked, 1));
      // A completion that repeats what was asked says nothing more.
      if (answered == asked) answered = Value();
      if (only_writes(name) && is_another_value(answered, asked))
        fail("{}:{}: {} of {} completes with another value, {}", file_, operation.line, name, to_string(asked),
             to_string(answered));
    }
    build_.set_result(id, answered);
  }
}

}  // namespace muster
