#include "spec/builtin.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "spec/synchronisation_objects.hpp"

namespace muster {
namespace {

std::int64_t integer_or(const std::optional<Value>& value, std::int64_t otherwise) {
  if (!value) return otherwise;
  if (!value->is_integer()) fail("the initial value of this object is an integer, not {}", to_string(*value));
  return value->as_integer();
}

struct Named {
  std::string_view name;
  SpecPtr (*make)(const SpecOptions&);
};

/// `read(x) -> nil`, or a transaction with such a read.
bool reads_nil(const Operation& operation) {
  const auto is_nil_read = [](Value step) {
    return step.kind() == Value::Kind::list && !step.items().empty() && step.items().back().is_nil();
  };
  const Value answer = operation.result;
  return answer.is_nil() || (answer.kind() == Value::Kind::list && std::ranges::any_of(answer.items(), is_nil_read));
}

/// Whether the initial value that a file or its format states is that of this object.
bool begins_with_stated(const History& history, std::string_view name) {
  const HistorySource& source = history.source();
  if (source.initial->is_integer() || name == "register" || name == "cas-register" || name == "swap") return true;
  if (name != "multi-register") return false;
  // Jepsen's transactions begin with nil or with numbers, and the format does not say which: the log shows it.
  const bool is_certain = !source.initial->is_nil() || source.format == "jsonl";
  return is_certain || std::ranges::any_of(history.operations(), reads_nil);
}

Value initial(const SpecOptions& options) { return options.initial.value_or(Value::integer(0)); }

constexpr std::array specs{
    Named{"register", [](const SpecOptions& o) { return register_spec(initial(o)); }},
    Named{"cas-register", [](const SpecOptions& o) { return cas_register_spec(initial(o)); }},
    Named{"multi-register", [](const SpecOptions& o) { return multi_register_spec(initial(o)); }},
    Named{"kv", [](const SpecOptions&) { return kv_spec(); }},
    Named{"counter", [](const SpecOptions& o) { return counter_spec(integer_or(o.initial, 0)); }},
    Named{"fetch-and-add", [](const SpecOptions& o) { return fetch_and_add_spec(integer_or(o.initial, 0)); }},
    Named{"swap", [](const SpecOptions& o) { return swap_spec(initial(o)); }},
    Named{"queue", [](const SpecOptions&) { return queue_spec(); }},
    Named{"bounded-queue", [](const SpecOptions& o) { return bounded_queue_spec(o.capacity.value_or(1)); }},
    Named{"stack", [](const SpecOptions&) { return stack_spec(); }},
    Named{"deque", [](const SpecOptions&) { return deque_spec(); }},
    Named{"set", [](const SpecOptions&) { return set_spec(); }},
    Named{"whole-set", [](const SpecOptions&) { return whole_set_spec(); }},
    Named{"bank", [](const SpecOptions&) { return bank_spec(); }},
    Named{"map", [](const SpecOptions&) { return map_spec(); }},
    Named{"priority-queue",
          [](const SpecOptions& o) { return priority_queue_spec(o.first.value_or(First::smallest)); }},
    Named{"mutex", [](const SpecOptions&) { return mutex_spec(); }},
    Named{"rwlock", [](const SpecOptions&) { return rwlock_spec(); }},
    Named{"semaphore", [](const SpecOptions& o) { return semaphore_spec(integer_or(o.initial, 0)); }},
};

/// What files call these objects.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> other_names{{
    {"set-full", "whole-set"},
    {"priorityqueue", "priority-queue"},
    {"pqueue", "priority-queue"},
    {"rmw", "swap"},
    {"casregister", "cas-register"},
    {"lock", "mutex"},
    {"keyvalue", "kv"},
    {"key-value", "kv"},
    {"boundedqueue", "bounded-queue"},
    {"faa", "fetch-and-add"},
}};

std::string_view usual_name(std::string_view name) {
  if (name.starts_with("atomic-")) name.remove_prefix(7);
  const auto found = std::ranges::find(other_names, name, &std::pair<std::string_view, std::string_view>::first);
  return found == other_names.end() ? name : found->second;
}

}  // namespace

SpecPtr find_spec(std::string_view name, const SpecOptions& options) {
  const std::string_view usual = usual_name(name);
  for (const Named& spec : specs) {
    if (spec.name == usual) return spec.make(options);
  }
  return nullptr;
}

SpecPtr spec_for(History& history, std::string_view name, SpecOptions options) {
  HistorySource& source = history.source();
  const bool named = !name.empty();
  if (!named) name = source.object;
  if (name.empty())
    fail("{}: the file does not name its object; say what it is with --spec ({})", source.name, list_of_specs());
  if (!options.first && source.largest_first) options.first = First::largest;
  if (source.initial && !begins_with_stated(history, usual_name(name))) source.initial.reset();
  if (!options.initial) options.initial = source.initial;
  // A set whose elements are read all at once is not judged element by element.
  const bool reads_whole =
      usual_name(name) == "set" &&
      std::ranges::any_of(history.methods(), [](std::string_view method) { return method == "read"; });
  const SpecPtr spec = find_spec(reads_whole ? "whole-set" : name, options);
  if (!spec) {
    fail("{}: there is no spec `{}`{}; there are {}", source.name, name, named ? "" : ", which the file names",
         list_of_specs());
  }
  arrange(history, *spec);
  return spec;
}

std::string list_of_specs() {
  return fmt::format("{}; of objects whose operations meet: {}", fmt::join(spec_names(), ", "),
                     fmt::join(synchronisation_spec_names(), ", "));
}

std::vector<std::string_view> spec_names() {
  std::vector<std::string_view> names;
  for (const Named& spec : specs) names.push_back(spec.name);
  return names;
}

}  // namespace muster
