#include "harness/object_names.hpp"

#include <fmt/format.h>

#include "harness/steps.hpp"

namespace muster {
namespace {

/// Empty for memory, which may be anything.
std::string_view sort_by(EventKind kind) {
  switch (kind) {
    case EventKind::lock:
    case EventKind::try_lock:
    case EventKind::unlock:
    case EventKind::lock_shared:
    case EventKind::try_lock_shared:
    case EventKind::unlock_shared:
      return "mutex";
    case EventKind::wait:
    case EventKind::timed_wait:
    case EventKind::notify_one:
    case EventKind::notify_all:
      return "condition";
    case EventKind::acquire_semaphore:
    case EventKind::release_semaphore:
      return "semaphore";
    case EventKind::arrive:
      return "barrier";
    case EventKind::once:
      return "flag";
    default:
      return {};
  }
}

bool has_object(const TracedEvent& traced) {
  switch (traced.event.kind) {
    case EventKind::finish:
    case EventKind::start:
    case EventKind::call:
    case EventKind::ret:
    case EventKind::fence:
    case EventKind::yield:
    case EventKind::sleep:
    case EventKind::clock:
      return false;
    default:
      return traced.event.object != 0;
  }
}

}  // namespace

ObjectNames::ObjectNames(const std::vector<TracedEvent>& events, Symbolizer& symbolizer) : symbolizer_(symbolizer) {
  for (const TracedEvent& traced : events) {
    const std::string_view sort = sort_by(traced.event.kind);
    if (!sort.empty()) sorts_.try_emplace(traced.event.object, sort);
    if (!has_object(traced)) continue;
    if (const std::string name = in_source(traced); !name.empty()) {
      called_[name].insert(traced.event.object);
      if (traced.block == 0) names_[traced.event.object].insert(name);
    }
  }
}

std::string ObjectNames::called_in_source(const TracedEvent& traced) {
  if (const std::string& name = in_source(traced); !name.empty() || traced.block != 0) return name;
  const auto names = names_.find(traced.event.object);
  return names != names_.end() && names->second.size() == 1 ? *names->second.begin() : "";
}

const std::string& ObjectNames::in_source(const TracedEvent& traced) {
  const bool on_heap = traced.block != 0;
  const std::uint64_t code = on_heap ? symbolizer_.widen(traced.block_site) : traced.frame_code;
  const std::int64_t offset = on_heap ? traced.block_offset : traced.from_frame;
  const auto [entry, fresh] = in_source_.try_emplace({code, offset});
  if (fresh && code != 0)
    entry->second = on_heap ? symbolizer_.allocated(code, traced.block_offset) : symbolizer_.local(code, offset);
  return entry->second;
}

bool ObjectNames::is_ambiguous(const std::string& name) const {
  const auto found = called_.find(name);
  return found != called_.end() && found->second.size() > 1;
}

std::string_view ObjectNames::sort_of(ObjectId object) const {
  const auto found = sorts_.find(object);
  return found == sorts_.end() ? "local" : found->second;
}

std::string ObjectNames::name(const TracedEvent& traced) {
  const Event& event = traced.event;
  if (event.kind == EventKind::join || event.kind == EventKind::spawn)
    return thread_name(static_cast<ThreadId>(event.object));
  if (!has_object(traced)) return {};
  if (const std::string name = called_in_source(traced); !name.empty()) {
    if (!is_ambiguous(name)) return name;
    return traced.block != 0 ? fmt::format("{} of block#{}", name, traced.block)
                             : fmt::format("{} of {}", name, thread_name(traced.stack_of));
  }
  if (traced.block != 0) {
    const std::string offset = traced.block_offset ? fmt::format("+{}", traced.block_offset) : "";
    const SourcePlace& place = symbolizer_.locate(symbolizer_.widen(traced.block_site));
    return fmt::format("block#{}{}", traced.block, offset) + (place.system ? "" : fmt::format(" ({})", place.brief()));
  }
  if (traced.stack_of == no_thread) {
    const std::string name = symbolizer_.variable(event.object);
    return name.starts_with("std::__") || name.starts_with("__") ? "data of the standard library" : name;
  }
  const std::string_view sort = sort_of(event.object);
  const auto [number, fresh] = numbers_.try_emplace(event.object, 0);
  if (fresh) number->second = ++how_many_[sort];
  return fmt::format("{}#{} of {}", sort, number->second, thread_name(traced.stack_of));
}

}  // namespace muster
