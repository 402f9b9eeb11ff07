#pragma once
// The shared part of a reduced search, in shared memory: see reduction/branch_pool.hpp. A node is kept as long as
// somebody works below it or something is left to take there.

#include <string>

#include "reduction/branch_pool.hpp"
#include "search/shared_heap.hpp"
#include "search/shared_work.hpp"

namespace muster {

class SharedTree final : public SharedWork, public BranchPool {
 public:
  /// The search begins with one job, the whole tree.
  void start(unsigned workers);
  /// The same for one worker, which has taken that job already; others may join it.
  void start_alone();

  /// Waits for a job; nothing once there is no more work anywhere, or the search was stopped.
  std::optional<BranchJob> take();
  /// The same without waiting.
  std::optional<BranchJob> try_to_take();

  /// A worker could not share all that it had left: there is nothing to save.
  void lose() { lost_ = true; }
  bool is_lost() const { return lost_; }
  /// What is left, once nobody works any more and all that workers had begun is shared: a line for each node, none if
  /// nothing is left. Of a part of a search the nodes that it began with are told in any case.
  std::vector<std::string> save();
  /// What was left, instead of the whole tree: after `start` or `start_alone`. Throws Error for lines that `save` did
  /// not make. What belongs to other parts of the search is not taken, and what a `part` began with is kept for
  /// whoever joins the parts.
  void load(const std::vector<std::string>& lines, bool part = false);

  double least_piece() const override { return SharedWork::least_piece(); }
  std::optional<BranchNode> add(const NewBranchNode& node) override;
  void release(BranchNode node) override;
  void want(BranchNode node, std::uint64_t threads) override;
  void want_all(BranchNode node) override;
  void expect_parts(BranchNode node, std::uint32_t branch, unsigned parts) override;
  void tell_part(BranchNode node, std::uint32_t branch, const Footprint& footprint) override;

  /// Nodes at this moment.
  std::uint32_t size() const { return in_use_; }

 private:
  static constexpr std::uint32_t most_nodes = 1 << 16;
  static constexpr unsigned size_classes = 64;

  using Heap = SharedHeap<std::size_t{64} << 20>;
  template <class T>
  using List = Heap::List<T>;

  struct Branch {
    ThreadId thread;
    bool everything;
    std::uint32_t parts;  // that are not told yet: until then it is not known what it touches first
    List<Access> accesses;
  };
  struct Node {
    BranchNode parent;
    std::uint32_t parent_branch;
    std::uint32_t users;      // nodes below, and workers whose job begins or lies right below
    BranchNode next, before;  // in the list of its size class, or of free nodes
    std::uint8_t size_class;  // none if nothing is left to take
    bool in_use;
    bool chooses_value;
    bool elsewhere;  // another part of the search sees to it
    bool kept;       // a part of the search began with it
    ThreadId first_option;
    bool expanded;
    float executions;  // of each branch, about
    std::uint64_t enabled, asleep, to_explore;
    std::uint64_t started_mask;
    List<Branch> started;  // has room for all that can be
    List<PlacedDecision> path;
  };

  void clear();
  std::uint64_t open(const Node& node) const {
    return node.elsewhere ? 0 : node.to_explore & ~node.asleep & ~node.started_mask;
  }
  bool is_known(const Node& node);
  bool covers(const Node& node, std::uint64_t threads) const;
  std::optional<BranchNode> add_unlocked(const NewBranchNode& node);
  void forget(BranchNode node);
  void set_to_explore(Node& node, std::uint64_t to_explore);
  void enlist(Node& node);
  void strike_out(Node& node);
  void put(Branch& branch, const StartedBranch& started);
  StartedBranch get(const Branch& branch);
  std::uint32_t transition_of(const Node& node) { return heap_.at(node.path)[node.path.size - 1].transition; }
  void tie_to_branch(BranchJob& job, const Node& value);
  BranchJob start_branch(BranchNode node);
  std::optional<BranchNode> largest();
  std::vector<BranchNode> in_order();

  std::uint32_t count_ = 0;  // nodes that were ever in use
  std::uint32_t in_use_ = 0;
  BranchNode free_ = no_node;
  BranchNode first_[size_classes];  // of those with something to take
  bool root_waits_ = false;
  bool lost_ = false;
  Node nodes_[most_nodes];
  Heap heap_;
};

}  // namespace muster
