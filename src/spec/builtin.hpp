#pragma once
// The specs that Muster brings along.

#include <optional>
#include <string_view>
#include <vector>

#include "spec/spec.hpp"

namespace muster {

SpecPtr register_spec(Value initial = Value::integer(0));
constexpr MethodIndex register_read = 0;  ///< of a register
SpecPtr cas_register_spec(Value initial = Value::integer(0));
/// Reads and writes of named registers, alone (`read(x)`, `write(x, 1)`) or several at once (`txn([[:read :x nil]
/// [:write :y 2]])`).
SpecPtr multi_register_spec(Value initial = Value::integer(0));
/// get, put, append, cas, delete; a key that was never put reads as nil, or as "".
SpecPtr kv_spec();
SpecPtr counter_spec(std::int64_t initial = 0);
SpecPtr fetch_and_add_spec(std::int64_t initial = 0);
SpecPtr swap_spec(Value initial = Value::integer(0));
SpecPtr queue_spec();
SpecPtr bounded_queue_spec(std::size_t capacity);
SpecPtr stack_spec();
SpecPtr deque_spec();
SpecPtr set_spec();
SpecPtr map_spec();
/// A set that only grows and is read as a whole (Jepsen's `set` and `set-full`).
SpecPtr whole_set_spec();
/// Transfers between accounts, read all at once; the first read says what they held at the beginning.
SpecPtr bank_spec();
enum class First { smallest, largest };
SpecPtr priority_queue_spec(First first = First::smallest);
SpecPtr mutex_spec();
SpecPtr rwlock_spec();
SpecPtr semaphore_spec(std::int64_t permits = 0);

struct SpecOptions {
  std::optional<Value> initial;
  std::optional<std::size_t> capacity;
  std::optional<First> first;
};

/// By the names of the command line ("queue", "cas-register"), or by what files call them ("atomic-queue", "rmw"); null
/// if unknown.
SpecPtr find_spec(std::string_view name, const SpecOptions& options = {});

/// The spec of this name with what the history's file states (initial value, which end of a priority queue comes first)
/// where `options` leaves it open; with "" the object that the file names. Also arranges the history's values. Throws
/// Error.
SpecPtr spec_for(History& history, std::string_view name = "", SpecOptions options = {});

/// Names that find_spec knows, in the order of the documentation.
std::vector<std::string_view> spec_names();

/// For messages: these, and those of objects whose operations meet.
std::string list_of_specs();

}  // namespace muster
