#pragma once
// What can go wrong in an execution without anybody having asked.

#include <cstdint>
#include <string_view>

#include "base/event.hpp"

namespace muster {

enum class IncidentKind : std::uint8_t {
  requirement,
  exception,
  crash,
  abort,
  deadlock,
  livelock,
  race,
  use_after_free,
  double_free,
  invalid_free,
  out_of_bounds,
  leak,
  misuse,            // of a lock, a condition variable, a semaphore …
  hang,              // no scheduling point for a long time, or the step limit: undecided
  unsupported,       // a call that cannot be controlled
  not_reproducible,  // a replayed decision differs from the recorded one
  limit,             // a fixed limit of the runtime was reached
  possible_race,     // nothing that is watched orders two accesses, but what is not watched may
};

std::string_view name(IncidentKind kind);

/// Whether it proves that something is wrong; the others leave the question open.
constexpr bool is_finding(IncidentKind kind) { return kind < IncidentKind::hang; }

/// Whether two accesses race, or may. An execution goes on after that.
constexpr bool is_race(IncidentKind kind) { return kind == IncidentKind::race || kind == IncidentKind::possible_race; }

/// Whether it is about what happens to memory at one place, and happened to it at another before.
constexpr bool has_two_places(IncidentKind kind) {
  return is_race(kind) || kind == IncidentKind::use_after_free || kind == IncidentKind::double_free;
}

/// One access of a race, or the place of another incident.
struct Place {
  SiteId site = 0;  // 0: unknown; the earlier access of a race keeps only the low half
  ThreadId thread = no_thread;
  EventKind kind = EventKind::start;
};

struct Incident {
  IncidentKind kind;
  Place place;    // what happened
  Place earlier;  // a race: the other access; a heap error: the allocation or the free
  std::uint64_t address = 0;
  int signal = 0;
  char message[232] = {};

  void say(std::string_view text);
};

}  // namespace muster
