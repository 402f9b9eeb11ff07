#pragma once
// Why an execution fails, by executions near it: from which of its steps on none comes out right any more, and which of
// its conflicts decide, so that it comes out right if they happen the other way round.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/archive.hpp"
#include "search/referee.hpp"

namespace muster {

/// What a thread did: an event, or a return. Calls and looks at the clock, which only some searches see, are left out.
struct Deed {
  ThreadId thread;
  EventKind kind;
  ObjectId object;
};

constexpr bool is_deed(EventKind kind) { return kind != EventKind::call && kind != EventKind::clock; }

/// Two deeds of different threads, by number, whose order matters.
struct Conflict {
  std::uint32_t first, second;
};

struct CauseQuestion {
  std::vector<Decision> schedule;
  std::vector<Deed> deeds;  // of the execution with that schedule; then, of threads that wait at its end, what they
                            // could not do
  std::size_t done = 0;     // so many were done
  std::vector<Conflict> conflicts;
  std::uint64_t most_executions = 0;  // to look for the point of no return
  unsigned late_yields = 0;           // in these
};

struct CauseAnswer {
  std::optional<std::uint32_t> no_return;  // the deed after which no schedule comes out right
  std::vector<std::uint32_t> decide;       // conflicts that do
  bool hopeless = false;                   // no schedule comes out right at all

  static CauseAnswer decode(std::span<const std::byte> bytes);
  std::vector<std::byte> encode() const;
};

/// Nothing is found where the execution cannot be shown again.
CauseAnswer find_cause(Engine& engine, Journal& journal, const Program& program, Referee& referee,
                       const CauseQuestion& question);

}  // namespace muster
