#include "division/join_nodes.hpp"

#include <algorithm>
#include <map>

namespace muster {
namespace {

struct Joint {
  NodeText node;
  std::string parent;  // its path
  bool needed = false;
};

/// As another part knows the same node.
void join(NodeText& node, const NodeText& other) {
  if (node.started.size() < other.started.size()) {
    std::vector<NodeText::Started> known = node.started;
    node.started = other.started;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].parts < node.started[i].parts) node.started[i] = known[i];
    }
  } else {
    for (std::size_t i = 0; i < other.started.size(); ++i) {
      if (other.started[i].parts < node.started[i].parts) node.started[i] = other.started[i];
    }
  }
  node.expanded |= other.expanded;
  if (node.chooses_value)
    node.to_explore &= other.to_explore;  // values are only taken
  else
    node.to_explore |= other.to_explore;
  node.executions = std::max(node.executions, other.executions);
}

}  // namespace

std::vector<NodeText> join_nodes(const std::vector<const std::vector<NodeText>*>& trees, bool everything) {
  std::map<std::string, Joint> joints;
  for (const auto* tree : trees) {
    for (const NodeText& node : *tree) {
      const auto [joint, is_new] = joints.try_emplace(node.path);
      if (!is_new) {
        join(joint->second.node, node);
        continue;
      }
      joint->second.node = node;
      joint->second.node.elsewhere = false;
      if (node.parent < tree->size()) joint->second.parent = (*tree)[node.parent].path;
    }
  }
  for (auto& [path, joint] : joints) {
    if (joint.node.open() == 0 && !everything) continue;
    for (Joint* at = &joint; !at->needed; at = &joints.at(at->parent)) {
      at->needed = true;
      if (at->parent.empty()) break;
    }
  }
  std::vector<const Joint*> left;
  for (const auto& [path, joint] : joints) {
    if (joint.needed) left.push_back(&joint);
  }
  std::ranges::sort(left, {}, [](const Joint* joint) -> const std::vector<int>& { return joint->node.indices; });
  std::map<std::string, std::uint64_t> numbers;
  std::vector<NodeText> nodes;
  for (const Joint* joint : left) {
    NodeText& node = nodes.emplace_back(joint->node);
    node.parent = joint->parent.empty() ? NodeText::no_parent : numbers.at(joint->parent);
    numbers[node.path] = nodes.size() - 1;
  }
  return nodes;
}

}  // namespace muster
