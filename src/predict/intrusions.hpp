#pragma once
// Orders that no three accesses to one variable predict, and that are worth an execution all the same: a whole
// transaction of another thread put into one where that holds no lock, or the very lock that the other only tries to
// take. The paper's patterns (Farzan, Madhusudan, Sorrentino, CAV 2009) speak of one variable, and of accesses that the
// recorded run made; a class may break between two variables, or because somebody looks where nothing was written yet
// and then writes, too. And of what lies behind a lock not every access may be watched.
//
//   const Intrusions intrusions(trace);
//   for (const Plan& plan : intrusions.plans()) ...
//
// Keeps all events: for recordings of single tests.

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/plan.hpp"
#include "trace/trace_reader.hpp"

namespace muster::predict {

class Intrusions {
 public:
  explicit Intrusions(trace::TraceReader& trace);

  /// The more promising first, in the order of Promise.
  std::vector<Plan> plans() const;

  /// Where all that is left of a transaction which comes between is its end, that comes between too: then it has
  /// returned when the other goes on.
  Plan completed(Plan plan) const;

  /// Equal for plans that lead to the same execution: what matters of a turn is its last event that another thread can
  /// notice.
  std::string form(const Plan& plan) const;

 private:
  /// What a transaction does to a variable, by event numbers; `never` before the first and 0 after the last of a kind.
  struct Uses {
    std::uint32_t first_read = never, first_write = never, end_of_accesses = 0, end_of_writes = 0;
  };
  struct Held {
    std::uint32_t lock, taken;  // taken: events of the thread up to then
  };
  struct Transaction {
    std::uint32_t thread, position;       // position: where it begins in the trace
    std::uint32_t begin, end = 0;         // events of its thread before it, and up to its end
    std::uint32_t accesses = 0;           // since the last opening
    std::vector<std::uint32_t> openings;  // so many events of its thread were executed, and it held no lock
    std::vector<Held> held;
    std::vector<std::uint32_t> attempts;            // at locks that somebody else may have
    absl::flat_hash_map<std::uint32_t, Uses> uses;  // by variable
    absl::flat_hash_map<std::uint32_t, Uses> locks;
  };
  struct Step {
    std::uint32_t thread, index, object;
    trace::Kind kind;
    std::uint32_t held;  // locks, after it
  };
  enum class Promise {
    cycle,       // the guest conflicts with what comes before it, and with what comes after
    attempt,     // it tries to take what the host holds
    stale_read,  // it sees what the host looked at and has not written yet
    lock,        // it takes locks that the host takes before and after
    none,
  };
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  void add(const trace::Event& event);
  void add_access(Transaction& transaction, const trace::Event& event);
  void add_lock(Transaction& transaction, const trace::Event& event);
  static Promise promise(const Transaction& host, std::uint32_t opening, const Transaction& guest);
  void add_plans(const Transaction& host, const Transaction& guest, Promise wanted, std::vector<Plan>& plans) const;
  Plan plan(const Transaction& host, std::uint32_t opening, const Transaction& guest) const;
  std::uint32_t number(const std::string& thread) const;

  std::vector<Step> steps_;                         // of all threads
  std::vector<std::vector<std::uint32_t>> places_;  // by thread and event: in steps_
  std::vector<Transaction> transactions_;
  std::vector<std::size_t> open_;  // by thread: its transaction, while there is one
  std::vector<std::uint32_t> held_;
  std::vector<PlanFork> forks_;
  std::vector<std::string> names_;
  std::vector<bool> makes_threads_;
};

}  // namespace muster::predict
