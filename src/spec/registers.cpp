// Registers, counters and stores of keys.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spec/builtin.hpp"
#include "spec/modelled.hpp"
#include "spec/revealed_states.hpp"

namespace muster {
namespace {

struct Register {
  Value value;

  bool operator==(const Register&) const = default;
  std::uint64_t hash() const { return mix(value.bits(), 1); }
  std::string describe() const { return to_string(value); }

  Value read() const { return value; }
  Value write(Value next) {
    value = next;
    return {};
  }
  Value compare_and_set(Value expected, Value next) {
    if (value != expected) return Value::boolean(false);
    value = next;
    return Value::boolean(true);
  }
  Value swap(Value next) { return std::exchange(value, next); }
};

Answer read(Register& r, Arguments) { return r.read(); }
Answer write(Register& r, Arguments a) { return r.write(a[0]); }
Answer cas(Register& r, Arguments a) { return r.compare_and_set(a[0], a[1]); }

const Method read_method{.name = "read", .aliases = {"get", "load", "r"}, .observes = true, .answers = true};
const Method write_method{.name = "write", .aliases = {"put", "set", "store", "w"}, .arguments = 1, .overwrites = true};
const Method cas_method{.name = "cas",
                        .aliases = {"compare_and_set", "compare_and_swap", "compare_exchange"},
                        .arguments = 2,
                        .answers_bool = true,
                        .idle = Value::boolean(false),
                        .answers = true};

std::string letters_of(Value value) {
  return value.kind() == Value::Kind::text ? std::string(value.letters()) : to_string(value);
}

/// One key of a store; nil while it is absent.
struct Entry {
  Value value = Value::nil();

  bool operator==(const Entry&) const = default;
  std::uint64_t hash() const { return mix(value.bits(), 2); }
  std::string describe() const { return to_string(value); }

  Value put(Value next) { return std::exchange(value, next); }
  Value remove() { return std::exchange(value, Value::nil()); }
  /// Text goes on as text; anything else begins a list, and lists grow.
  Value append(Value tail) {
    const bool is_list = value.kind() == Value::Kind::list;
    if (is_list || (value.is_nil() && tail.kind() != Value::Kind::text)) {
      std::vector<Value> items;
      if (is_list) items.assign(value.items().begin(), value.items().end());
      items.push_back(tail);
      value = Value::list(items);
    } else {
      value = Value::text((value.is_nil() ? "" : letters_of(value)) + letters_of(tail));
    }
    return {};
  }
  Value compare_and_set(Value expected, Value next) {
    if (value != expected) return Value::boolean(false);
    value = next;
    return Value::boolean(true);
  }
};

/// Stores of text answer "" for a key that is absent, and numbers that were appended one after the other as text.
bool reads_as(Value answer, Value recorded) {
  if (same_answer(answer, recorded)) return true;
  if (recorded.kind() != Value::Kind::text) return false;
  if (answer.is_nil()) return recorded.letters().empty();
  if (answer.kind() != Value::Kind::list || !std::ranges::all_of(answer.items(), &Value::is_integer)) return false;
  std::string text;
  for (const Value item : answer.items()) text += letters_of(item);
  return text == recorded.letters();
}

struct Counter {
  std::int64_t value = 0;

  bool operator==(const Counter&) const = default;
  std::uint64_t hash() const { return mix(static_cast<std::uint64_t>(value), 3); }
  std::string describe() const { return fmt::format("{}", value); }

  /// Wraps around, as a counter in memory does.
  void add(std::int64_t amount) {
    value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(amount));
  }
};

const Method counter_read{.name = "read", .aliases = {"get", "load", "value"}, .observes = true, .answers = true};

enum class Access { read, write };

/// What a micro-operation of this name does.
std::optional<Access> access_of(Value name) {
  if (name.kind() != Value::Kind::symbol && name.kind() != Value::Kind::text) return std::nullopt;
  std::string_view letters = name.letters();
  if (letters.starts_with(':')) letters.remove_prefix(1);
  if (same_name(letters, "r") || same_name(letters, "read")) return Access::read;
  if (same_name(letters, "w") || same_name(letters, "write")) return Access::write;
  return std::nullopt;
}

bool is_list_of(Value value, std::size_t size) {
  return value.kind() == Value::Kind::list && value.items().size() == size;
}

std::string objection_to_step(Value step) {
  const bool has_name = step.kind() == Value::Kind::list && !step.items().empty() &&
                        (step.items()[0].kind() == Value::Kind::symbol || step.items()[0].kind() == Value::Kind::text);
  if (has_name && !access_of(step.items()[0])) {
    return fmt::format(
        "multi-register has no micro-operation `{}`; it has :r (:read) and :w (:write). A log with others is for a "
        "checker of transactions, such as Elle",
        to_string(step.items()[0]));
  }
  if (has_name && is_list_of(step, 3)) return "";
  return fmt::format("{} is no micro-operation; [:r register nil] and [:w register value] are", to_string(step));
}

/// An answer repeats what was asked, with the values read.
bool is_answer_to(Value asked, Value answered) {
  if (!is_list_of(answered, 3)) return false;
  const auto before = asked.items(), after = answered.items();
  return before[0] == after[0] && before[1] == after[1] &&
         (access_of(before[0]) == Access::read || before[2] == after[2]);
}

std::string objection_to_transaction(std::span<const Value> arguments, Value result) {
  const Value steps = arguments[0];
  if (steps.kind() != Value::Kind::list)
    return fmt::format("{} is no list of micro-operations such as [[:r x nil] [:w y 1]]", to_string(steps));
  for (const Value step : steps.items()) {
    if (std::string objection = objection_to_step(step); !objection.empty()) return objection;
  }
  const bool fits = result.is_none() || (is_list_of(result, steps.items().size()) &&
                                         std::ranges::equal(steps.items(), result.items(), is_answer_to));
  if (fits) return "";
  return fmt::format("the transaction {} completes as {}; an answer repeats the micro-operations, with the values read",
                     to_string(steps), to_string(result));
}

struct Registers {
  Value initial;
  std::vector<std::pair<Value, Value>> written;  ///< sorted by name; a name that holds the initial value is not here

  bool operator==(const Registers&) const = default;
  std::uint64_t hash() const { return hash_bytes(std::as_bytes(std::span(written))); }
  std::size_t footprint() const { return written.size() * sizeof(written[0]); }

  Value read(Value name) const {
    const auto found = std::ranges::lower_bound(written, name, {}, &std::pair<Value, Value>::first);
    return found != written.end() && found->first == name ? found->second : initial;
  }
  void write(Value name, Value value) {
    const auto found = std::ranges::lower_bound(written, name, {}, &std::pair<Value, Value>::first);
    const bool known = found != written.end() && found->first == name;
    if (value == initial) {
      if (known) written.erase(found);
    } else if (known) {
      found->second = value;
    } else {
      written.insert(found, {name, value});
    }
  }
  /// Reads and writes in order; objection_to_transaction has looked at them.
  Answer transact(Value steps) {
    std::vector<Value> done;
    for (const Value step : steps.items()) {
      const auto parts = step.items();
      const bool writes = access_of(parts[0]) == Access::write;
      if (writes) write(parts[1], parts[2]);
      done.push_back(writes ? step : Value::list({parts[0], parts[1], read(parts[1])}));
    }
    return Value::list(done);
  }
};

}  // namespace

SpecPtr register_spec(Value initial) {
  return modelled<Register>("register", {initial}, {{read_method, read}, {write_method, write}},
                            {.family = Family::reg, .initial_value = initial, .shows_what_was_put = true});
}

SpecPtr cas_register_spec(Value initial) {
  return modelled<Register>("cas-register", {initial}, {{read_method, read}, {write_method, write}, {cas_method, cas}},
                            {.initial_value = initial, .shows_what_was_put = true});
}

SpecPtr swap_spec(Value initial) {
  return modelled<Register>("swap", {initial},
                            {{read_method, read},
                             {write_method, write},
                             {{.name = "swap",
                               .aliases = {"read_modify_write", "rmw", "exchange", "get_and_set"},
                               .arguments = 1,
                               .result_first = true,
                               .answers = true,
                               .overwrites = true},
                              [](Register& r, Arguments a) { return Answer(r.swap(a[0])); }}},
                            {.initial_value = initial, .shows_what_was_put = true});
}

SpecPtr multi_register_spec(Value initial) {
  return modelled<Registers>(
      "multi-register", {initial, {}},
      {{{.name = "read", .aliases = {"get", "r"}, .arguments = 1, .observes = true, .answers = true},
        [](Registers& r, Arguments a) { return Answer(r.read(a[0])); }},
       {{.name = "write", .aliases = {"put", "set", "w"}, .arguments = 2},
        [](Registers& r, Arguments a) {
          r.write(a[0], a[1]);
          return Answer(Value());
        }},
       {{.name = "txn",
         .aliases = {"transaction"},
         .arguments = 1,
         .answers = true,
         .objection = objection_to_transaction},
        [](Registers& r, Arguments a) { return r.transact(a[0]); }}},
      {.initial_value = initial});
}

SpecPtr kv_spec() {
  return modelled<Entry>("kv", {},
                         {{{.name = "get", .aliases = {"read"}, .observes = true, .answers = true},
                           [](Entry& e, Arguments) { return Answer(e.value); }},
                          {{.name = "put", .aliases = {"write", "set"}, .arguments = 1, .overwrites = true},
                           [](Entry& e, Arguments a) {
                             e.put(a[0]);
                             return Answer(Value());
                           }},
                          {{.name = "append", .arguments = 1, .computes = true},
                           [](Entry& e, Arguments a) { return Answer(e.append(a[0])); }},
                          {{.name = "cas",
                            .aliases = {"compare_and_set", "compare_and_swap"},
                            .arguments = 2,
                            .answers_bool = true,
                            .idle = Value::boolean(false),
                            .answers = true},
                           [](Entry& e, Arguments a) { return Answer(e.compare_and_set(a[0], a[1])); }},
                          {{.name = "delete", .aliases = {"remove", "erase"}, .overwrites = true},
                           [](Entry& e, Arguments) {
                             e.remove();
                             return Answer(Value());
                           }}},
                         {.keyed = true, .fits = reads_as, .states_for = revealed_states, .shows_what_was_put = true});
}

SpecPtr map_spec() {
  return modelled<Entry>(
      "map", {},
      {{{.name = "get", .aliases = {"read", "find", "lookup"}, .observes = true, .answers = true},
        [](Entry& e, Arguments) { return Answer(e.value); }},
       {{.name = "put", .aliases = {"insert_or_assign", "set", "write"}, .arguments = 1, .answers = true},
        [](Entry& e, Arguments a) { return Answer(e.put(a[0])); }},
       {{.name = "put_if_absent", .aliases = {"insert", "try_emplace"}, .arguments = 1, .answers = true},
        [](Entry& e, Arguments a) {
          const Value old = e.value;
          if (old.is_nil()) e.put(a[0]);
          return Answer(old);
        }},
       {{.name = "remove", .aliases = {"delete", "erase"}, .idle = Value::nil(), .answers = true},
        [](Entry& e, Arguments) { return Answer(e.remove()); }},
       {{.name = "contains",
         .aliases = {"contains_key", "has"},
         .observes = true,
         .answers_bool = true,
         .answers = true},
        [](Entry& e, Arguments) { return Answer(Value::boolean(!e.value.is_nil())); }}},
      {.keyed = true});
}

SpecPtr counter_spec(std::int64_t initial) {
  return modelled<Counter>(
      "counter", {initial},
      {{counter_read, [](Counter& c, Arguments) { return Answer(Value::integer(c.value)); }},
       {{.name = "add", .aliases = {"inc", "incr", "increment"}, .optional_arguments = 1, .amounts = Amounts::any},
        [](Counter& c, Arguments a) {
          c.add(amount(a));
          return Answer(Value::integer(c.value));
        }},
       {{.name = "subtract", .aliases = {"dec", "decr", "decrement"}, .optional_arguments = 1, .amounts = Amounts::any},
        [](Counter& c, Arguments a) {
          c.add(-amount(a));
          return Answer(Value::integer(c.value));
        }}},
      {.initial_value = Value::integer(initial), .sums = Sums::after});
}

SpecPtr fetch_and_add_spec(std::int64_t initial) {
  return modelled<Counter>("fetch-and-add", {initial},
                           {{counter_read, [](Counter& c, Arguments) { return Answer(Value::integer(c.value)); }},
                            {{.name = "fetch_and_add",
                              .aliases = {"fetch_add", "get_and_add", "faa", "add"},
                              .arguments = 1,
                              .amounts = Amounts::any,
                              .answers = true},
                             [](Counter& c, Arguments a) {
                               const std::int64_t old = c.value;
                               c.add(amount(a));
                               return Answer(Value::integer(old));
                             }}},
                           {.initial_value = Value::integer(initial), .sums = Sums::before});
}

}  // namespace muster
