#pragma once
// Phase I of meta-analysis (Farzan, Madhusudan, Sorrentino, CAV 2009, section 4): one pass that keeps, for each thread
// and variable, what its accesses look like from outside, in memory that depends on threads, variables, sites and locks
// only.
//
// The paper keeps every witness between two accesses with its lockset and acquisition history. Here a pair of accesses
// keeps only the locks held from the one to the other without a break: at the moment of fewest locks the thread holds
// exactly those. For each transaction, variable and kind of pair the widest pair has the fewest such locks.

#include <absl/container/inlined_vector.h>

#include <memory>
#include <span>
#include <vector>

#include "predict/lock_stack.hpp"
#include "predict/segments.hpp"
#include "trace/event.hpp"

namespace muster::predict {

/// Which of the events make transactions.
enum class Transactions : std::uint8_t { marked, whole_threads };

/// One access, able to come between two of another thread.
struct Point {
  LocksetId locks;
  std::uint32_t segment;
  std::uint32_t index;
};

/// Two accesses of one transaction, and the locks held from the first to the second without a break.
struct Pair {
  LocksetId held;
  std::uint32_t first_segment, last_segment;
  std::uint32_t first_index, last_index;
};

struct PointGroup {
  std::uint32_t site;
  bool write;
  absl::InlinedVector<Point, 1> points;
};

struct PairGroup {
  std::uint32_t first_site, last_site;
  bool first_writes, last_writes;
  absl::InlinedVector<Pair, 1> pairs;
};

/// What one thread does to one variable.
struct Profile {
  std::uint32_t thread;
  std::uint32_t variable;
  std::vector<PointGroup> points;
  std::vector<PairGroup> pairs;
};

/// A lock taken while others were held.
struct Dependency {
  std::uint32_t thread;
  Held lock;
  LocksetId held;
  std::uint32_t segment, index, site;
  bool attempt;  // by a try-lock: this one did not wait
};

class Profiler {
 public:
  explicit Profiler(Transactions transactions) : transactions_(transactions) {}

  void consume(std::span<const trace::Event> events);
  /// Closes transactions that the trace leaves open.
  void finish();

  /// Every (thread, variable) that was accessed, in order of first access.
  std::span<const Profile> profiles() const { return profiles_; }
  std::span<const Dependency> dependencies() const { return dependencies_; }
  /// Whether `dependencies` are all there were.
  bool dependencies_complete() const { return dependencies_.size() < most_dependencies; }
  const LocksetTable& locksets() const { return locksets_; }
  const Segments& segments() const { return segments_; }

  bool coarsened() const;
  /// Whether a group had more different witnesses than are kept: predictions may then be missed.
  bool thinned() const { return thinned_ || segments_.thinned(); }
  std::uint64_t transactions() const { return transaction_count_; }
  std::uint32_t lock_count() const { return lock_count_; }

 private:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::size_t most_dependencies = std::size_t{1} << 20;

  struct First {
    std::uint32_t index = none, site = 0, segment = 0;
  };
  struct Last {
    LocksetId held = no_locks;
    std::uint32_t index = none, site = 0, segment = 0;
  };
  /// The state of one variable in one thread during the pass.
  struct Cell {
    std::uint32_t profile = none;
    std::uint32_t transaction = 0;                    // the last one that accessed it; what follows is about that one
    First first[2];                                   // by whether it writes
    Last last[2][2];                                  // by whether the first, and the last, writes
    std::uint64_t point_context[2] = {~0ull, ~0ull};  // locks and segment of the last point recorded, by write
    std::uint32_t point_site[2] = {none, none};
    std::uint32_t free_segment[2] = {
        none, none};  // where a point of that site without locks is known: no better one can come
  };
  static constexpr unsigned page_bits = 4;
  using Page = std::unique_ptr<Cell[]>;

  struct Thread {
    LockStack locks;
    std::vector<Page> pages;        // cells by variable
    std::uint32_t transaction = 0;  // number of the current or last one, from 1
    std::uint32_t depth = 0;
    std::uint64_t context = 0;  // locks and segment
    std::uint32_t segment = 0;
    std::vector<std::uint32_t> touched;  // variables accessed in the open transaction
    bool known = false;
  };

  Thread& enter(const trace::Event& event);
  Cell& cell(Thread& thread, std::uint32_t variable);
  void access(const trace::Event& event);
  void record_point(Cell& cell, const Thread& thread, const trace::Event& event);
  void record_pairs(Cell& cell, const Thread& thread, const trace::Event& event);
  void synchronize(const trace::Event& event);
  void acquire(Thread& thread, const trace::Event& event);
  void begin(Thread& thread);
  void end(Thread& thread);
  void keep_pairs(Cell& cell);
  void refresh_context(std::uint32_t id, Thread& thread);
  template <class Witness, class Same>
  void keep(absl::InlinedVector<Witness, 1>& witnesses, const Witness& witness, LocksetId Witness::*locks, Same same);

  Transactions transactions_;
  LocksetTable locksets_;
  Segments segments_;
  std::vector<Thread> threads_;
  std::vector<Profile> profiles_;
  std::vector<Dependency> dependencies_;
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint64_t>, bool> known_dependencies_;
  std::uint64_t transaction_count_ = 0;
  std::uint32_t lock_count_ = 0;
  bool thinned_ = false;
};

}  // namespace muster::predict
