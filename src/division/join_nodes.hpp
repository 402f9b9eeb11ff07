#pragma once
// The tree of a reduced search from those of its parts.

#include <vector>

#include "division/node_text.hpp"

namespace muster {

/// What is left at the nodes of all of them, with all that is above, in the order in which a search comes to them.
/// A node that several have is one: what was begun there was begun by one of them, and what any of them wants there is
/// wanted. Where parts are still to come that know less of a node, `everything` is kept.
std::vector<NodeText> join_nodes(const std::vector<const std::vector<NodeText>*>& trees, bool everything = false);

}  // namespace muster
