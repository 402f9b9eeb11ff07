#pragma once
// Small programs that call the engine by hand, and all outcomes that a strategy finds of one.

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "reduction/reduction_strategy.hpp"
#include "runtime/memory.hpp"
#include "runtime/sync.hpp"
#include "schedule/depth_first_strategy.hpp"
#include "search/estimate.hpp"
#include "search/search.hpp"

namespace muster::test {

enum class Op : std::uint8_t {
  load,
  store,
  add,
  compare_exchange,
  exchange,
  plain_load,
  plain_store,
  lock,
  unlock,
  try_lock,
  timed_lock,
  lock_shared,
  lock_exclusive,
  unlock_shared,
  try_lock_shared,
  wait,
  timed_wait,
  notify_one,
  notify_all,
  acquire,
  try_acquire,
  release,
  futex_wait,
  timed_futex_wait,
  futex_wake_one,
  futex_wake_all,
  barrier,
  once,
  choose,
  skip_if,
  skip_unless,
  spin_until,
  spin_asleep,
  spin_lock,
  increment_by_retrying,
  reload_and_retry,
  look_and_retry,
  yield,
  sleep,
  clock,
  relaxed_load,
  relaxed_store,
  relaxed_add,
  await_plain,
  await_atomic,
  await_mixed,
  lock_both,
  poll,
  spin_counting,
  require_not,
  spin_try_lock,
  free_block,
  release_strong,
  release_weak,
  copy_strong,
  copy_weak,
  lock_weak,
};

/// The object with this number is the one of its kind in the heap block that all threads know and any may free: a word,
/// a plain word, a mutex, a condition variable.
constexpr unsigned in_block = 4;
constexpr unsigned most_threads = 4;

struct Instruction {
  Op op;
  unsigned object = 0;
  std::uint32_t value = 0;
  std::uint32_t other = 0;
  bool operator==(const Instruction&) const = default;
};

struct SmallProgram {
  std::vector<std::vector<Instruction>> threads;
  unsigned semaphore = 0;  // its initial value
  unsigned strong = 0;     // references to the heap block that threads own at first, as those of std::shared_ptr
  unsigned weak = 0;       // and of std::weak_ptr

  bool uses(Op op) const;
  bool uses_block() const;
};

/// The first of the places that an instruction of a thread may tell findings by: threads with the same code share them.
SiteId site_of(const SmallProgram& program, std::size_t thread, unsigned instruction);

std::string to_text(const SmallProgram& program);

/// To be executed until another one is; it must live so long.
Program runnable(const SmallProgram& program);
/// Tells a new engine what these programs work on.
void prepare_for_small_programs(Engine& engine);
/// How many executions of small programs began at their start, and not at a point that was saved.
std::uint64_t small_program_starts();
/// All that its threads read in the last execution, who never finished, and the final memory.
std::string outcome_of(const Execution& execution);

/// The first thread with the same code.
std::size_t first_alike(const SmallProgram& program, std::size_t thread);

struct Outcomes {
  std::set<std::string> set;
  std::uint64_t executions = 0, complete = 0, abandoned = 0;
  std::uint64_t cut = 0;  // executions that went on for too long
  bool exhausted = false;
  bool cut_by_preemptions = false;
};

/// Runs the program under the strategy until it is exhausted; `make` gives a new strategy whenever a race makes more
/// points.
Outcomes explore_all(const SmallProgram& program, const std::function<std::unique_ptr<Strategy>()>& make,
                     std::uint64_t most, const RuntimeOptions& options = {});

/// Programs with more interleavings are not compared.
constexpr std::uint64_t most_interleavings = 100'000;

Outcomes plain(const SmallProgram& program, unsigned bound = DepthFirstBounds::unbounded);
Outcomes reduced(const SmallProgram& program, const ReductionConfig& config);

/// The outcomes by the third judge, which knows the language (but for the clock) and not the engine: all states that
/// the program can come to. `executions` counts those.
Outcomes walked(const SmallProgram& program, std::uint64_t most_states);
/// Among its outcomes: the program does what none may, such as giving back a lock that it does not have.
constexpr const char* misuse = "misuse";

/// The same outcomes, with threads that have the same code exchanged so that equal ones become the same.
Outcomes without_names(const SmallProgram& program, const Outcomes& outcomes);

/// The same reduced search by several workers that take turns, as a seed says, and share the tree. Now and then all
/// stop, and others go on from what they saved: once in so many executions, if that is not 0. With `parts`, they do so
/// in so many parts, each by itself, some of which are missing for a while.
Outcomes shared(const SmallProgram& program, const ReductionConfig& config, unsigned workers, std::uint64_t seed,
                unsigned stop_once_in = 0, unsigned parts = 0);

/// How many executions a search of it would make, told by drawing so many of them.
double estimated(const SmallProgram& program, const StrategyConfig& strategy, std::uint64_t draws);

/// What one search found and the other did not; empty if both found the same.
std::string difference(const Outcomes& plain, const Outcomes& reduced);
/// The same for a reduced search with a bound: it finds at least what is `within` the bound, and at most `all`.
std::string outside(const Outcomes& within, const Outcomes& found, const Outcomes& all);

}  // namespace muster::test
