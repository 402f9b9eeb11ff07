#include "search/shared_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace muster {
namespace {

constexpr std::uint64_t bit(unsigned i) { return std::uint64_t{1} << i; }

/// Larger ones in higher classes; each is twice the one below.
unsigned size_class_of(double executions) {
  return executions < 1 ? 0 : std::min(62u, static_cast<unsigned>(std::ilogb(executions)));
}
constexpr std::uint8_t in_no_class = 255;

}  // namespace

void SharedTree::clear() {
  count_ = in_use_ = 0;
  free_ = no_node;
  std::ranges::fill(first_, no_node);
  heap_.clear();
  root_waits_ = lost_ = false;
}

void SharedTree::start(unsigned workers) {
  clear();
  root_waits_ = true;
  begin(workers, 1);
}

void SharedTree::start_alone() {
  begin_alone();
  clear();
}

void SharedTree::put(Branch& branch, const StartedBranch& started) {
  heap_.release(branch.accesses);
  branch = {started.thread, started.footprint.everything, 0, {0, 0, 0}};
  if (heap_.reserve(branch.accesses, started.footprint.accesses.size())) {
    std::copy(started.footprint.accesses.begin(), started.footprint.accesses.end(), heap_.at(branch.accesses));
  } else {
    branch.everything = true;  // wakes at once: what it shows may be shown again, and nothing is missed
  }
}

StartedBranch SharedTree::get(const Branch& branch) {
  StartedBranch result{branch.thread, {}};
  result.footprint.everything = branch.everything;
  const Access* accesses = heap_.at(branch.accesses);
  result.footprint.accesses.assign(accesses, accesses + branch.accesses.size);
  return result;
}

// ---- what is left to take ----

/// Under the lock. Keeps count of what waits. Who looks without the lock sees a thread that is started either still
/// wanted or started already.
void SharedTree::set_to_explore(Node& node, std::uint64_t to_explore) {
  waiting_jobs_ -= static_cast<unsigned>(std::popcount(open(node)));
  __atomic_store_n(&node.to_explore, to_explore, __ATOMIC_RELEASE);
  waiting_jobs_ += static_cast<unsigned>(std::popcount(open(node)));
  if (open(node) == 0)
    strike_out(node);
  else
    enlist(node);
}

void SharedTree::enlist(Node& node) {
  if (node.size_class != in_no_class) return;
  const auto number = static_cast<BranchNode>(&node - nodes_);
  node.size_class = static_cast<std::uint8_t>(size_class_of(node.executions));
  BranchNode& first = first_[node.size_class];
  node.next = first;
  node.before = no_node;
  if (first != no_node) nodes_[first].before = number;
  first = number;
}

void SharedTree::strike_out(Node& node) {
  if (node.size_class == in_no_class) return;
  (node.before == no_node ? first_[node.size_class] : nodes_[node.before].next) = node.next;
  if (node.next != no_node) nodes_[node.next].before = node.before;
  node.size_class = in_no_class;
}

/// The largest first: that is the most work for the telling.
std::optional<BranchNode> SharedTree::largest() {
  for (unsigned i = size_classes; i-- > 0;) {
    for (BranchNode node = first_[i]; node != no_node; node = nodes_[node].next) {
      if (is_known(nodes_[node])) return node;
    }
  }
  return std::nullopt;
}

// ---- nodes ----

std::optional<BranchNode> SharedTree::add(const NewBranchNode& from) {
  const Lock lock(*this);
  return add_unlocked(from);
}

std::optional<BranchNode> SharedTree::add_unlocked(const NewBranchNode& from) {
  if (free_ == no_node && count_ == most_nodes) return std::nullopt;
  const PointKind kind = from.path.back().decision.kind;
  Node made{};
  made.parent = from.parent;
  made.parent_branch = from.parent_branch;
  made.users = 1;
  made.size_class = in_no_class;
  made.in_use = true;
  made.chooses_value = kind != PointKind::thread;
  made.first_option = from.first_option;
  made.expanded = from.expanded;
  made.executions = static_cast<float>(from.executions);
  made.enabled = from.enabled;
  made.asleep = from.asleep;
  const std::size_t most_branches = made.chooses_value ? 0 : static_cast<std::size_t>(std::popcount(made.enabled));
  if (!heap_.reserve(made.path, from.path.size())) return std::nullopt;
  if (!heap_.reserve(made.started, most_branches)) {
    heap_.release(made.path);
    return std::nullopt;
  }
  std::copy(from.path.begin(), from.path.end(), heap_.at(made.path));
  std::fill_n(heap_.at(made.started), most_branches, Branch{});
  made.started.size = 0;
  for (const StartedBranch& started : from.started) {
    put(heap_.at(made.started)[made.started.size++], started);
    made.started_mask |= bit(started.thread);
  }
  if (from.part_is_missing) heap_.at(made.started)[made.started.size - 1].parts = 1;
  const BranchNode number = free_ != no_node ? free_ : count_++;
  Node& node = nodes_[number];
  if (free_ != no_node) free_ = node.next;
  node = made;
  ++in_use_;
  set_to_explore(node, from.to_explore);
  return number;
}

void SharedTree::release(BranchNode number) {
  if (number == no_node) return;
  const Lock lock(*this);
  --nodes_[number].users;
  forget(number);
}

/// If nobody needs it any more, and then perhaps what is above it.
void SharedTree::forget(BranchNode number) {
  while (number != no_node) {
    Node& node = nodes_[number];
    if (node.users > 0 || node.kept || open(node) != 0) return;
    for (std::uint32_t i = 0; i < node.started.size; ++i) heap_.release(heap_.at(node.started)[i].accesses);
    heap_.release(node.started);
    heap_.release(node.path);
    node.in_use = false;
    node.next = free_;
    free_ = number;
    --in_use_;
    number = node.parent;
    if (number != no_node) --nodes_[number].users;
  }
}

/// Whether one of these threads was started there or will be. Answered without the lock most of the time: what is
/// wanted once stays so, or is started.
bool SharedTree::covers(const Node& node, std::uint64_t threads) const {
  const std::uint64_t wanted = __atomic_load_n(&node.to_explore, __ATOMIC_ACQUIRE);
  const std::uint64_t started = __atomic_load_n(&node.started_mask, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&node.expanded, __ATOMIC_ACQUIRE) || (threads & (wanted | started | node.asleep)) != 0;
}

void SharedTree::want(BranchNode number, std::uint64_t threads) {
  Node& node = nodes_[number];
  if (covers(node, threads)) return;
  const Lock lock(*this);
  if (covers(node, threads)) return;
  if (const std::uint64_t possible = threads & node.enabled) {
    set_to_explore(node, node.to_explore | bit(static_cast<unsigned>(std::countr_zero(possible))));
  } else {
    set_to_explore(node, node.enabled);
    __atomic_store_n(&node.expanded, true, __ATOMIC_RELEASE);
  }
}

void SharedTree::want_all(BranchNode number) {
  Node& node = nodes_[number];
  if (__atomic_load_n(&node.expanded, __ATOMIC_ACQUIRE)) return;
  const Lock lock(*this);
  set_to_explore(node, node.enabled);
  __atomic_store_n(&node.expanded, true, __ATOMIC_RELEASE);
}

void SharedTree::expect_parts(BranchNode number, std::uint32_t branch, unsigned parts) {
  const Lock lock(*this);
  heap_.at(nodes_[number].started)[branch].parts += parts;
}

void SharedTree::tell_part(BranchNode number, std::uint32_t number_of_branch, const Footprint& footprint) {
  const Lock lock(*this);
  Branch& branch = heap_.at(nodes_[number].started)[number_of_branch];
  StartedBranch known = get(branch);
  known.footprint.add(footprint.accesses);
  known.footprint.everything |= footprint.everything;
  const std::uint32_t parts = branch.parts - 1;
  put(branch, known);
  branch.parts = parts;
}

bool SharedTree::is_known(const Node& node) {
  const Branch* started = heap_.at(node.started);
  return std::all_of(started, started + node.started.size, [](const Branch& branch) { return branch.parts == 0; });
}

// ---- jobs ----

/// A value that is chosen in the first transition of a branch is part of what that branch touches first.
void SharedTree::tie_to_branch(BranchJob& job, const Node& value) {
  BranchNode above = value.parent;
  std::uint32_t branch = value.parent_branch;
  while (above != no_node && nodes_[above].chooses_value) {
    branch = nodes_[above].parent_branch;
    above = nodes_[above].parent;
  }
  if (above == no_node || transition_of(nodes_[above]) != transition_of(value)) return;
  job.first_of = above;
  job.first_branch = branch;
}

/// Takes the first open branch of a node, under the lock.
BranchJob SharedTree::start_branch(BranchNode number) {
  Node& node = nodes_[number];
  const auto option = static_cast<ThreadId>(std::countr_zero(open(node)));
  ++node.users;
  BranchJob job;
  job.node = number;
  const PlacedDecision* path = heap_.at(node.path);
  job.path.assign(path, path + node.path.size);
  std::uint32_t branch = option;
  if (node.chooses_value) {
    job.path.back().decision.index = option;
    tie_to_branch(job, node);
  } else {
    const std::uint64_t others = node.enabled & ~bit(node.first_option);
    job.path.back().decision.index =
        option == node.first_option ? 0 : static_cast<std::uint8_t>(1 + std::popcount(others & (bit(option) - 1)));
    branch = node.started.size++;
    heap_.at(node.started)[branch] = {option, false, 1, {0, 0, 0}};
    waiting_jobs_ -= 1;  // it was open until now
    __atomic_store_n(&node.started_mask, node.started_mask | bit(option), __ATOMIC_RELEASE);
    job.first_of = number;
    job.first_branch = branch;
  }
  job.branch = branch;
  set_to_explore(node, node.to_explore & ~bit(option));
  for (BranchNode on_path = number; on_path != no_node;
       branch = nodes_[on_path].parent_branch, on_path = nodes_[on_path].parent) {
    const Node& passed = nodes_[on_path];
    if (passed.chooses_value) continue;
    BranchJob::Step& step = job.steps.emplace_back(
        BranchJob::Step{transition_of(passed), on_path, passed.first_option, passed.enabled, {}});
    for (std::uint32_t i = 0; i < branch; ++i) step.before.push_back(get(heap_.at(passed.started)[i]));
  }
  std::reverse(job.steps.begin(), job.steps.end());
  return job;
}

std::optional<BranchJob> SharedTree::take() {
  for (;; short_sleep()) {
    if (auto job = try_to_take()) return job;
    const Lock lock(*this);
    if (is_over()) return std::nullopt;
  }
}

std::optional<BranchJob> SharedTree::try_to_take() {
  const Lock lock(*this);
  if (is_over()) return std::nullopt;
  if (root_waits_) {
    root_waits_ = false;
    --waiting_jobs_;
    taken();
    return BranchJob{};
  }
  const auto node = largest();
  if (!node) return std::nullopt;
  taken();
  return start_branch(*node);
}

}  // namespace muster
