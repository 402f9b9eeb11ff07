#pragma once
// The shared part of a reduced search, in shared memory: see schedule/branch_pool.hpp.

#include <string>

#include "reduction/branch_pool.hpp"
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
  /// What is left, once nobody works any more and all that workers had begun is shared: a line for each node, none if
  /// nothing is left.
  std::vector<std::string> save();
  /// What was left, instead of the whole tree: after `start` or `start_alone`. Throws Error for lines that `save` did
  /// not make.
  void load(const std::vector<std::string>& lines);

  bool hungry() const override { return SharedWork::hungry(); }
  std::optional<BranchNode> add(const NewBranchNode& node) override;
  void want(BranchNode node, std::uint64_t threads) override;
  void want_all(BranchNode node) override;
  void expect_parts(BranchNode node, std::uint32_t branch, unsigned parts) override;
  void tell_part(BranchNode node, std::uint32_t branch, const Footprint& footprint) override;

 private:
  static constexpr std::size_t room = std::size_t{64} << 20;
  static constexpr std::uint32_t most_nodes = 1 << 16;

  /// A list in `bytes_`. Like all that there are many of, it is not initialised by itself: that would touch all pages.
  template <class T>
  struct List {
    std::uint64_t offset;
    std::uint32_t size;
  };
  struct Branch {
    ThreadId thread;
    bool everything;
    std::uint32_t parts;  // that are not told yet: until then it is not known what it touches first
    List<Access> accesses;
  };
  struct Node {
    BranchNode parent;
    std::uint32_t parent_branch;
    bool chooses_value;
    ThreadId first_option;
    bool expanded;
    std::uint64_t enabled, asleep, to_explore;
    std::uint64_t started_mask;
    List<Branch> started;  // has room for all that can be
    List<PlacedDecision> path;
  };

  void clear();
  template <class T>
  T* at(const List<T>& list) {
    return reinterpret_cast<T*>(bytes_ + list.offset);
  }
  /// False if there is no room.
  template <class T>
  bool reserve(List<T>& list, std::size_t size);
  std::uint64_t open(const Node& node) const { return node.to_explore & ~node.asleep & ~node.started_mask; }
  bool is_known(const Node& node);
  void set_to_explore(Node& node, std::uint64_t to_explore);
  void put(Branch& branch, const StartedBranch& started);
  StartedBranch get(const Branch& branch);
  std::uint32_t transition_of(const Node& node) { return at(node.path)[node.path.size - 1].transition; }
  void tie_to_branch(BranchJob& job, const Node& value);
  BranchJob start_branch(BranchNode node);

  std::uint32_t count_ = 0;
  bool root_waits_ = false;
  bool lost_ = false;
  std::uint64_t used_ = 0;
  Node nodes_[most_nodes];
  alignas(16) std::byte bytes_[room];
};

}  // namespace muster
