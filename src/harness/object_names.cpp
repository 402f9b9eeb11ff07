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
  }
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
  if (traced.block != 0) {
    const std::string offset = traced.block_offset ? fmt::format("+{}", traced.block_offset) : "";
    return fmt::format("block#{}{} ({})", traced.block, offset,
                       symbolizer_.locate(symbolizer_.widen(traced.block_site)).brief());
  }
  if (traced.stack_of == no_thread) return symbolizer_.variable(event.object);
  const std::string_view sort = sort_of(event.object);
  const auto [number, fresh] = numbers_.try_emplace(event.object, 0);
  if (fresh) number->second = ++how_many_[sort];
  return fmt::format("{}#{} of {}", sort, number->second, thread_name(traced.stack_of));
}

}  // namespace muster
