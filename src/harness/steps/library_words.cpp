#include "harness/steps/library_words.hpp"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "harness/steps/object_names.hpp"

namespace muster {
namespace {

constexpr std::string_view copies = "copies of shared ";  // as the count of a shared pointer is named
constexpr std::string_view weak = "weak ";

constexpr std::string_view calls_library = "calls";

bool is_atomic(EventKind kind) { return kind == EventKind::load || kind == EventKind::store || kind == EventKind::rmw; }

int count_in(const TracedValues::Value& value) {
  int count = 0;
  std::memcpy(&count, value.words.data(), sizeof count);
  return count;
}

/// "drops its copy of shared s1, the last one"
bool retell_copy(const TracedEvent& traced, Step& step) {
  std::string_view object = step.object;
  const bool is_weak = object.starts_with(weak);
  if (is_weak) object.remove_prefix(weak.size());
  const bool changes = traced.event.kind == EventKind::rmw || traced.event.kind == EventKind::store;
  if (!object.starts_with(copies) || !changes || traced.values.size != sizeof(int)) return false;
  const int before = count_in(traced.values.found), after = count_in(traced.values.left);
  if (before == after) return false;
  const std::string what =
      fmt::format("{}{}", is_weak ? weak : "", object.substr(std::string_view("copies of ").size()));
  step.action = after < before ? "drops its copy of" : "copies";
  step.detail = after == 0 ? ", the last one" : fmt::format(", {} then", after);
  step.object = what;
  return true;
}

}  // namespace

LibraryWords::LibraryWords(const std::vector<TracedEvent>& events, Symbolizer& symbolizer) : symbolizer_(symbolizer) {
  std::map<ObjectId, ThreadId> first;
  for (const TracedEvent& traced : events) {
    const auto [use, fresh] = first.try_emplace(traced.event.object, traced.event.thread);
    if (use->second != traced.event.thread) shared_.insert(traced.event.object);
  }
}

void LibraryWords::retell(const TracedEvent& traced, std::span<const std::uint64_t> stack, Step& step) {
  if (!is_atomic(traced.event.kind) || retell_copy(traced, step)) return;
  const bool is_nameless = step.object.empty() || step.object.starts_with("block#");
  if (step.object != library_data && (!is_nameless || !shared_.contains(traced.event.object))) return;
  const std::string function = symbolizer_.library_call(stack);
  if (function.empty()) return;
  step.action = calls_library;
  step.object = function;
  step.detail.clear();
}

}  // namespace muster
