#include "harness/steps/conflicts.hpp"

#include <algorithm>

namespace muster {
namespace {

constexpr std::size_t most_conflicts = 200;

enum class Sort : std::uint8_t { none, read, change, lock, shared_lock, wait, notification, meeting };

Sort sort_of(const TracedEvent& traced) {
  switch (traced.event.kind) {
    case EventKind::load:
    case EventKind::read:
      return Sort::read;
    case EventKind::store:
    case EventKind::write:
    case EventKind::free_block:
      return Sort::change;
    case EventKind::rmw:
      return traced.values.deed == AccessValues::Deed::failed_exchange ? Sort::read : Sort::change;
    case EventKind::lock:
    case EventKind::try_lock:
      return Sort::lock;
    case EventKind::lock_shared:
    case EventKind::try_lock_shared:
      return Sort::shared_lock;
    case EventKind::wait:
    case EventKind::timed_wait:
      return Sort::wait;
    case EventKind::futex_wait:
      return Sort::wait;
    case EventKind::notify_one:
    case EventKind::notify_all:
    case EventKind::futex_wake:
      return Sort::notification;
    case EventKind::acquire_semaphore:
    case EventKind::release_semaphore:
    case EventKind::arrive:
    case EventKind::once:
      return Sort::meeting;
    default:
      return Sort::none;
  }
}

bool conflict(Sort a, Sort b) {
  const auto either = [&](Sort one, Sort other) { return (a == one && b == other) || (a == other && b == one); };
  return (a == b && (a == Sort::change || a == Sort::lock || a == Sort::meeting)) || either(Sort::read, Sort::change) ||
         either(Sort::lock, Sort::shared_lock) || either(Sort::wait, Sort::notification) ||
         either(Sort::wait, Sort::change);
}

bool same_thing(const TracedEvent& a, const TracedEvent& b) {
  const bool frees = a.event.kind == EventKind::free_block || b.event.kind == EventKind::free_block;
  return frees ? a.location.block != 0 && a.location.block == b.location.block : a.event.object == b.event.object;
}

bool is_access(Sort sort) { return sort == Sort::read || sort == Sort::change; }

}  // namespace

std::vector<Conflict> conflicts_of(std::span<const TracedEvent* const> deeds) {
  std::vector<Conflict> found;
  for (std::size_t first = deeds.size(); first-- > 0 && found.size() < most_conflicts;) {
    std::uint64_t met = 0;  // threads that touch it later
    const Event& event = deeds[first]->event;
    if (event.object == 0) continue;
    for (std::size_t second = first + 1; second < deeds.size(); ++second) {
      const TracedEvent& later = *deeds[second];
      const std::uint64_t thread = std::uint64_t{1} << later.event.thread;
      if (later.event.thread == event.thread || (met & thread)) continue;
      if (!same_thing(*deeds[first], later) || !conflict(sort_of(*deeds[first]), sort_of(later))) continue;
      met |= thread;
      found.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)});
    }
  }
  return found;
}

std::optional<Conflict> most_telling(std::span<const TracedEvent* const> deeds, std::span<const Conflict> deciding) {
  const auto is_early_notification = [&](const Conflict& c) {
    return sort_of(*deeds[c.first]) == Sort::notification && sort_of(*deeds[c.second]) == Sort::wait;
  };
  const auto is_outdated_read = [&](const Conflict& c) {
    if (sort_of(*deeds[c.first]) != Sort::read || !is_access(sort_of(*deeds[c.second]))) return false;
    const auto goes_on = [&](const TracedEvent* later) {
      return later->event.thread == deeds[c.first]->event.thread && sort_of(*later) != Sort::none &&
             sort_of(*later) != Sort::read;
    };
    return std::any_of(deeds.begin() + c.second, deeds.end(), goes_on);
  };
  const auto last_of = [&](const auto& is_such) -> std::optional<Conflict> {
    std::optional<Conflict> last;
    for (const Conflict& c : deciding) {
      const bool later = !last || c.first > last->first || (c.first == last->first && c.second < last->second);
      if (is_such(c) && later) last = c;
    }
    return last;
  };
  if (const auto found = last_of(is_early_notification)) return found;
  if (const auto found = last_of(is_outdated_read)) return found;
  return last_of([](const Conflict&) { return true; });
}

}  // namespace muster
