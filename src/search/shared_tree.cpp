#include "search/shared_tree.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace muster {
namespace {

constexpr std::uint64_t bit(unsigned i) { return std::uint64_t{1} << i; }

}  // namespace

void SharedTree::clear() {
  count_ = 0;
  used_ = 0;
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

template <class T>
bool SharedTree::reserve(List<T>& list, std::size_t size) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t bytes = (size * sizeof(T) + 15) / 16 * 16;
  if (used_ + bytes > room) return false;
  list = {used_, static_cast<std::uint32_t>(size)};
  used_ += bytes;
  return true;
}

void SharedTree::put(Branch& branch, const StartedBranch& started) {
  branch = {started.thread, started.footprint.everything, 0, {}};
  if (reserve(branch.accesses, started.footprint.accesses.size())) {
    std::copy(started.footprint.accesses.begin(), started.footprint.accesses.end(), at(branch.accesses));
  } else {
    branch.everything = true;  // wakes at once: what it shows may be shown again, and nothing is missed
  }
}

StartedBranch SharedTree::get(const Branch& branch) {
  StartedBranch result{branch.thread, {}};
  result.footprint.everything = branch.everything;
  const Access* accesses = at(branch.accesses);
  result.footprint.accesses.assign(accesses, accesses + branch.accesses.size);
  return result;
}

/// Under the lock. Keeps count of what waits.
void SharedTree::set_to_explore(Node& node, std::uint64_t to_explore) {
  waiting_jobs_ -= static_cast<unsigned>(std::popcount(open(node)));
  node.to_explore = to_explore;
  waiting_jobs_ += static_cast<unsigned>(std::popcount(open(node)));
}

std::optional<BranchNode> SharedTree::add(const NewBranchNode& from) {
  const Lock lock(*this);
  if (count_ == most_nodes) return std::nullopt;
  Node& node = nodes_[count_];
  const PointKind kind = from.path.back().decision.kind;
  node = {};
  node.parent = from.parent;
  node.parent_branch = from.parent_branch;
  node.chooses_value = kind != PointKind::thread;
  node.first_option = from.first_option;
  node.expanded = from.expanded;
  node.enabled = from.enabled;
  node.asleep = from.asleep;
  const std::size_t most_branches = node.chooses_value ? 0 : static_cast<std::size_t>(std::popcount(node.enabled));
  if (!reserve(node.path, from.path.size()) || !reserve(node.started, most_branches)) return std::nullopt;
  std::copy(from.path.begin(), from.path.end(), at(node.path));
  node.started.size = 0;
  for (const StartedBranch& started : from.started) {
    put(at(node.started)[node.started.size++], started);
    node.started_mask |= bit(started.thread);
  }
  if (from.part_is_missing) at(node.started)[node.started.size - 1].parts = 1;
  set_to_explore(node, from.to_explore);
  return count_++;
}

void SharedTree::want(BranchNode number, std::uint64_t threads) {
  const Lock lock(*this);
  Node& node = nodes_[number];
  if (node.expanded || (threads & (node.to_explore | node.started_mask | node.asleep))) return;
  if (const std::uint64_t possible = threads & node.enabled) {
    set_to_explore(node, node.to_explore | bit(static_cast<unsigned>(std::countr_zero(possible))));
  } else {
    node.expanded = true;
    set_to_explore(node, node.enabled);
  }
}

void SharedTree::want_all(BranchNode number) {
  const Lock lock(*this);
  nodes_[number].expanded = true;
  set_to_explore(nodes_[number], nodes_[number].enabled);
}

void SharedTree::expect_parts(BranchNode number, std::uint32_t branch, unsigned parts) {
  const Lock lock(*this);
  at(nodes_[number].started)[branch].parts += parts;
}

void SharedTree::tell_part(BranchNode number, std::uint32_t number_of_branch, const Footprint& footprint) {
  const Lock lock(*this);
  Branch& branch = at(nodes_[number].started)[number_of_branch];
  StartedBranch known = get(branch);
  known.footprint.add(footprint.accesses);
  known.footprint.everything |= footprint.everything;
  const std::uint32_t parts = branch.parts - 1;
  put(branch, known);
  branch.parts = parts;
}

bool SharedTree::is_known(const Node& node) {
  const Branch* started = at(node.started);
  return std::all_of(started, started + node.started.size, [](const Branch& branch) { return branch.parts == 0; });
}

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
  set_to_explore(node, node.to_explore & ~bit(option));
  BranchJob job;
  job.node = number;
  const PlacedDecision* path = at(node.path);
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
    at(node.started)[branch] = {option, false, 1, {}};
    node.started_mask |= bit(option);
    job.first_of = number;
    job.first_branch = branch;
  }
  job.branch = branch;
  for (BranchNode on_path = number; on_path != no_node;
       branch = nodes_[on_path].parent_branch, on_path = nodes_[on_path].parent) {
    const Node& passed = nodes_[on_path];
    if (passed.chooses_value) continue;
    BranchJob::Step& step = job.steps.emplace_back(
        BranchJob::Step{transition_of(passed), on_path, passed.first_option, passed.enabled, {}});
    for (std::uint32_t i = 0; i < branch; ++i) step.before.push_back(get(at(passed.started)[i]));
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
    --waiting_jobs_, --idle_;
    return BranchJob{};
  }
  // Near the root first: that is the most work for the telling.
  const auto end = nodes_ + count_;
  const auto node = std::find_if(nodes_, end, [&](const Node& n) { return open(n) != 0 && is_known(n); });
  if (node == end) return std::nullopt;
  --idle_;
  return start_branch(static_cast<BranchNode>(node - nodes_));
}

}  // namespace muster
