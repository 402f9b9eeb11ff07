#pragma once
// A strategy picks the next decision. It sees points, options and what was executed, nothing else.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "schedule/schedule.hpp"

namespace muster {

/// How an execution ended.
enum class Ending : std::uint8_t {
  completed,  // every thread finished
  stuck,      // something is pending and can never finish
  incident,   // a finding ended it
  cut,        // the step limit was reached: undecided
  abandoned,  // the strategy or the observer wanted no more of it
};

/// What a reduced search is told of the execution under way, and asked: `reduction/reducer.hpp`.
class Reducer;

/// A search that goes through a tree: where it is, what is left, and what it leaves out.
class Traversal {
 public:
  virtual ~Traversal() = default;

  /// Of decisions that it comes back to: how many leading ones this execution shares with the one before it, and how
  /// many preemptions and late yields there may be before a decision whose other options are still tried if they cost
  /// one more.
  struct Return {
    std::uint32_t kept = 0;
    unsigned preemptions = 0, late_yields = 0;
  };
  virtual std::optional<Return> comes_back() const { return std::nullopt; }

  /// Gives away part of the work that is left, as a schedule for a strategy of the same kind; nothing if it cannot.
  virtual std::optional<std::vector<Decision>> split(Schedule&) { return std::nullopt; }

  /// Whether the search may be left here, between two executions, to be gone on with another day.
  virtual bool can_pause() const { return true; }

  /// The share of the search that is done, as far as it can be told.
  virtual double share_done(const Schedule&) const { return 0; }

  /// What a bound left out.
  struct LeftOut {
    bool preemptions = false, late_yields = false;
  };
  virtual LeftOut left_out() const { return {}; }
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Prepares the next execution by leaving in `schedule` the decisions it must repeat; false ends the search.
  virtual bool begin_execution(Schedule& schedule) = 0;

  /// What `decide` returns to end the execution instead.
  static constexpr std::uint8_t abandon = 255;

  /// Picks one of `point.options`, which has at least two.
  virtual std::uint8_t decide(const Point& point) = 0;

  virtual void executed(const Event&) {}
  virtual void end_execution(const Schedule&, Ending) {}

  /// What is so in all its executions.
  struct Manners {
    bool takes_first = false;     // `decide` always gives the first option: it need not be called
    bool watches_events = false;  // `executed` wants to be called: only then do executions pay for it
    bool prunes = false;          // an execution may be abandoned once it is known to repeat another one of the search
    bool begins_again = false;    // the search does, when an execution learned what those before it did not know
  };
  virtual Manners manners() const { return {}; }

  /// What executions shall have that were asked to have `asked`: those that are repeated have what they had.
  virtual MemoryModel memory_model(MemoryModel asked) const { return asked; }

  /// What more there is to it than picking options, if anything.
  virtual Reducer* reducer() { return nullptr; }
  virtual Traversal* traversal() { return nullptr; }

  /// A strategy that is good for one execution may begin it anew.
  virtual void rewind() {}
};

}  // namespace muster
