#pragma once
// Conflict serializability of the recorded run itself, in one pass with a vector clock a transaction: the property that
// Velodrome (PLDI 2008) and AeroDrome (ASPLOS 2020) check. The rules for begin, end and conflicts are AeroDrome's;
// where it keeps a clock a variable, variables here point to the transaction that accessed them last, whose one clock
// is brought up to date when a transaction it depends on ends. The search goes on behind a violation: one is reported
// for each pair of transactions and object.

#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>

#include <span>
#include <tuple>
#include <vector>

#include "predict/profile.hpp"
#include "predict/vector_clock.hpp"
#include "trace/event.hpp"

namespace muster::predict {

/// Two transactions of which each has to come before the other. The numbers of transactions count from 1 in each
/// thread; 0 is an event outside of any.
struct Violation {
  std::uint32_t thread, transaction;
  std::uint32_t other, other_transaction;
  trace::Kind kind;  // of the event that closed the cycle; an `end` if it was closed by what another transaction did
  std::uint32_t object;
  std::uint32_t site;
  std::uint32_t line;
};

class SerializabilityChecker {
 public:
  explicit SerializabilityChecker(Transactions transactions, std::size_t most_kept = 10'000)
      : transactions_(transactions), most_kept_(most_kept) {}

  void consume(std::span<const trace::Event> events);

  std::span<const Violation> violations() const { return violations_; }
  std::uint64_t violation_count() const { return count_; }

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId none = ~0u;

  /// A transaction, or a stretch of events outside of any that learned nothing new.
  struct Node {
    VectorClock clock;
    std::uint32_t thread = 0;
    std::uint32_t transaction = 0;
    std::uint32_t references = 0;  // from threads, variables, locks and order objects
    std::uint32_t listings = 0;    // as a dependent of an open transaction
    bool open = false;
  };
  struct Thread {
    NodeId node = none;
    std::uint32_t depth = 0;
    std::uint32_t begun = 0;  // the thread's own time at the beginning of its open transaction
    std::uint32_t transactions = 0;
    std::vector<NodeId> dependents;  // nodes whose clocks contain that time
    std::size_t prune_at = 64;
    absl::flat_hash_set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> reported;
  };
  struct Variable {
    NodeId write = none;
    NodeId last_reader = none;
    absl::InlinedVector<NodeId, 3> readers;  // since that write, one a thread
  };

  Thread& thread(std::uint32_t id);
  void access(const trace::Event& event);
  void synchronize(const trace::Event& event);
  void read(Variable& variable, const trace::Event& event);
  void write(Variable& variable, const trace::Event& event);
  void begin(std::uint32_t id);
  void end(std::uint32_t id, const trace::Event& event);
  /// The thread's node comes after `from`.
  void absorb(std::uint32_t id, NodeId from, const trace::Event& event);
  void join_into(NodeId into, NodeId from);
  void fresh_node(std::uint32_t id);
  void add_dependent(Thread& owner, NodeId node);
  void retain(NodeId node) { ++nodes_[node].references; }
  void release(NodeId node);
  void refer(NodeId& reference, NodeId node);
  void report(std::uint32_t id, NodeId other, const trace::Event& event);
  NodeId& grow(std::vector<NodeId>& references, std::uint32_t object);

  Transactions transactions_;
  std::size_t most_kept_;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> open_;  // threads in a transaction
  std::vector<Variable> variables_;
  std::vector<NodeId> released_;                      // by lock: the last exclusive release
  std::vector<std::vector<NodeId>> shared_released_;  // by lock: shared releases since, one a thread
  std::vector<std::vector<NodeId>> signalled_;        // by order object, one a thread
  std::vector<Violation> violations_;
  std::uint64_t count_ = 0;
};

}  // namespace muster::predict
