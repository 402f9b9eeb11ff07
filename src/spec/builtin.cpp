#include "spec/builtin.hpp"

#include <fmt/format.h>

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
    Named{"map", [](const SpecOptions&) { return map_spec(); }},
    Named{"priority-queue",
          [](const SpecOptions& o) { return priority_queue_spec(o.first.value_or(First::smallest)); }},
    Named{"mutex", [](const SpecOptions&) { return mutex_spec(); }},
    Named{"rwlock", [](const SpecOptions&) { return rwlock_spec(); }},
    Named{"semaphore", [](const SpecOptions& o) { return semaphore_spec(integer_or(o.initial, 0)); }},
};

/// What files call these objects.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> other_names{{
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

}  // namespace

SpecPtr find_spec(std::string_view name, const SpecOptions& options) {
  if (name.starts_with("atomic-")) name.remove_prefix(7);
  for (const auto& [other, known] : other_names) {
    if (name == other) name = known;
  }
  for (const Named& spec : specs) {
    if (spec.name == name) return spec.make(options);
  }
  return nullptr;
}

SpecPtr spec_for(History& history, std::string_view name, SpecOptions options) {
  const HistorySource& source = history.source();
  const bool named = !name.empty();
  if (!named) name = source.object;
  std::string known;
  for (const std::string_view other : spec_names()) known += fmt::format("{}{}", known.empty() ? "" : ", ", other);
  known += "; of objects whose operations meet";
  for (const std::string_view other : synchronisation_spec_names())
    known += fmt::format("{}{}", known.ends_with("meet") ? ": " : ", ", other);
  if (name.empty()) fail("{}: the file does not name its object; say what it is with --spec ({})", source.name, known);
  if (!options.first && source.largest_first) options.first = First::largest;
  if (!options.initial && source.initial) {
    const bool holds_any_value = name == "register" || name == "cas-register" || name == "swap" || name == "rmw";
    if (holds_any_value || source.initial->is_integer()) options.initial = source.initial;
  }
  const SpecPtr spec = find_spec(name, options);
  if (!spec) fail("{}: there is no spec `{}`{}; there are {}", source.name, name, named ? "" : ", which the file names", known);
  arrange(history, *spec);
  return spec;
}

std::vector<std::string_view> spec_names() {
  std::vector<std::string_view> names;
  for (const Named& spec : specs) names.push_back(spec.name);
  return names;
}

}  // namespace muster
