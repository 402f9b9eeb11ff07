#include "schedule/wakeup_tree.hpp"

#include <algorithm>
#include <utility>

namespace muster {

Initial initial(ThreadId thread, const Footprint& footprint, std::span<const Step> sequence) {
  bool unknown = footprint.everything;
  for (const Step& step : sequence) {
    if (step.thread == thread) return unknown && &step != &sequence.front() ? Initial::no : Initial::yes;
    if (step.footprint.everything)
      unknown = true;
    else if (conflict(footprint, step.footprint))
      return Initial::no;
  }
  return unknown ? Initial::unknown : Initial::weak;
}

bool WakeupForest::holds(ThreadId thread) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.thread == thread; });
}

void WakeupForest::insert(std::vector<Step> sequence, std::size_t most) {
  std::vector<Node>* level = &nodes_;
  std::size_t depth = 0;
  for (;;) {
    // Where it is not known whether a branch comes to the same, the sequence is tried both in it and beside it.
    for (Node& node : *level) {
      if (!node.shortened && !node.next.empty() && initial(node.thread, node.footprint, sequence) == Initial::unknown)
        node.next.insert(sequence, most);
    }
    const auto fits = std::find_if(level->begin(), level->end(), [&](const Node& node) {
      const Initial how = initial(node.thread, node.footprint, sequence);
      return how == Initial::yes || (how == Initial::weak && !node.shortened);
    });
    if (fits == level->end()) break;
    const auto same =
        std::find_if(sequence.begin(), sequence.end(), [&](const Step& step) { return step.thread == fits->thread; });
    if (same != sequence.end()) sequence.erase(same);
    if (fits->next.empty() || sequence.empty()) return;  // whatever continues this branch covers the rest
    level = &fits->next.nodes_;
    ++depth;
  }
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const bool shortened = most == 1 || (i + 1 < sequence.size() && (sequence[i].chooses || ++depth >= most));
    level->push_back({sequence[i].thread, std::move(sequence[i].footprint), shortened, {}});
    if (shortened) return;
    level = &level->back().next.nodes_;
  }
}

void WakeupForest::insert(ThreadId thread) {
  if (!holds(thread)) nodes_.push_back({thread, {.accesses = {}, .everything = true}, true, {}});
}

std::optional<WakeupForest::Branch> WakeupForest::take_first() {
  if (nodes_.empty()) return std::nullopt;
  Branch branch{nodes_.front().thread, nodes_.front().shortened, std::move(nodes_.front().next)};
  nodes_.erase(nodes_.begin());
  return branch;
}

}  // namespace muster
