#pragma once
// The part of a reduced search's tree that several workers explore. A node is a decision that all of them know: which
// threads (or values) were started there, in which order, and which still shall be. Whoever explores a branch sees the
// ones started before it as sleepers; whoever finds that a race at a node must be reversed asks for another branch.

#include <optional>
#include <vector>

#include "reduction/footprint.hpp"
#include "schedule/schedule.hpp"

namespace muster {

using BranchNode = std::uint32_t;
constexpr BranchNode no_node = ~BranchNode{0};

/// A decision with the number of the transition that it begins, or lies in.
struct PlacedDecision {
  Decision decision;
  std::uint32_t transition;
};

/// A branch that was started, and what its first transition touches.
struct StartedBranch {
  ThreadId thread;
  Footprint footprint;
};

/// A decision that becomes everybody's.
struct NewBranchNode {
  BranchNode parent = no_node;
  std::uint32_t parent_branch = 0;  // of a node that chooses a value: that value
  ThreadId first_option = 0;
  bool expanded = false;
  std::uint64_t enabled = 0, asleep = 0, to_explore = 0;  // threads; for a node that chooses a value, values
  std::vector<StartedBranch> started;                     // the last one is under way
  bool part_is_missing = false;                           // of what that one touches first
  double executions = 0;                                  // of each branch, about
  std::vector<PlacedDecision> path;                       // up to the decision itself
};

/// A branch that a worker takes: the executions that begin with a path.
struct BranchJob {
  struct Step {
    std::uint32_t transition;
    BranchNode node;
    ThreadId first_option;
    std::uint64_t enabled;
    std::vector<StartedBranch> before;  // started earlier, and so known from elsewhere
  };
  std::vector<PlacedDecision> path;  // empty: the whole tree
  std::vector<Step> steps;           // the decisions among threads on the path
  BranchNode node = no_node;         // where it begins
  std::uint32_t branch = 0;
  // The branch whose first transition the job makes, perhaps with one of several values: it tells what that touches.
  BranchNode first_of = no_node;
  std::uint32_t first_branch = 0;
};

class BranchPool {
 public:
  virtual ~BranchPool() = default;

  /// How many executions a branch must have, about, to be worth giving away now; infinitely many if none is wanted.
  virtual double least_piece() const = 0;
  /// For whoever worked below its parent, and works below it now. Nothing if there is no room.
  virtual std::optional<BranchNode> add(const NewBranchNode& node) = 0;
  /// Whoever works below the node has finished.
  virtual void release(BranchNode node) = 0;
  /// One of these threads shall be explored at a node, unless one is or will be.
  virtual void want(BranchNode node, std::uint64_t threads) = 0;
  /// All threads that can step shall be explored there.
  virtual void want_all(BranchNode node) = 0;
  /// What a branch touches first is known only once so many more jobs have told their part.
  virtual void expect_parts(BranchNode node, std::uint32_t branch, unsigned parts) = 0;
  virtual void tell_part(BranchNode node, std::uint32_t branch, const Footprint& footprint) = 0;
};

}  // namespace muster
