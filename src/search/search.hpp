#pragma once
// Many executions in this process: what a worker does, and what replay does without a worker.

#include <chrono>
#include <cstdint>
#include <span>

#include "base/channel.hpp"
#include "base/tally.hpp"
#include "runtime/engine.hpp"

namespace muster {

/// Looks at executions and decides what becomes of them. Lives in the worker.
class Task {
 public:
  virtual ~Task() = default;
  virtual Observer& observer() = 0;
  virtual void begin_execution() {}
  /// False stops the whole search.
  virtual bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) = 0;
  /// From here on executions come beside what was asked for: only findings count of what they show. Anything else stops
  /// them and is forgotten.
  virtual void begin_aside() {}
  /// They are over. True if a finding stopped them.
  virtual bool end_aside() { return false; }
};

/// What workers count while they run; the parent reads it for progress and adds it up at the end.
struct Counters : Tally {
  double share_done = 0;  // of the search under way, about
  bool cut_by_preemptions = false;
  bool cut_by_late_yields = false;

  void add(const Counters& other);
};

double cpu_seconds_of_this_process();

struct SearchLimits {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::uint64_t executions = ~std::uint64_t{0};
};

/// `learned`: something that executions before the last one did not take into account.
enum class SearchEnd : std::uint8_t { exhausted, stopped, out_of_time, learned };

/// Asked between executions: gives work away or ends the search.
class Interruption {
 public:
  virtual ~Interruption() = default;
  /// False ends the search.
  virtual bool go_on(Strategy&, Schedule&) { return true; }
};

/// Runs `program` once with the real heap, so that libraries initialise what they keep for ever, and forgets what
/// happened.
void warm_up(Engine& engine, Journal& journal, const Program& program);
/// The same along a schedule that is known to come further, as long as it can be followed.
void warm_up(Engine& engine, Journal& journal, const Program& program, std::span<const Decision> schedule);

/// Whether an execution went another way than it should because a library has set itself up, which it does once in the
/// life of a process: the search may begin again. What goes on differing is not put down to that for ever. The schedule
/// is then one along which it does so.
bool was_set_up(const Execution& execution, Engine& engine, Journal& journal, const Program& program);

SearchEnd search(Engine& engine, Journal& journal, const Program& program, Strategy& strategy, Task& task,
                 Counters& counters, const SearchLimits& limits, Interruption& interruption);

}  // namespace muster
