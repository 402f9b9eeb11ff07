#include "schedule/wakeup_tree.hpp"

#include <algorithm>
#include <utility>

namespace muster {

bool may_come_first(ThreadId thread, const Footprint& footprint, std::span<const Step> sequence) {
  for (const Step& step : sequence) {
    if (step.thread == thread) return true;
    if (conflict(footprint, step.footprint)) return false;
  }
  return true;
}

bool WakeupForest::holds(ThreadId thread) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.thread == thread; });
}

void WakeupForest::insert(std::vector<Step> sequence, std::size_t most) {
  std::vector<Node>* level = &nodes_;
  std::size_t depth = 0;
  for (;;) {
    const auto fits = std::find_if(level->begin(), level->end(), [&](const Node& node) { return may_come_first(node.thread, node.footprint, sequence); });
    if (fits == level->end()) break;
    const auto same = std::find_if(sequence.begin(), sequence.end(), [&](const Step& step) { return step.thread == fits->thread; });
    if (same != sequence.end()) sequence.erase(same);
    if (fits->next.empty() || sequence.empty()) return;  // whatever continues this branch covers the rest
    level = &fits->next.nodes_;
    ++depth;
  }
  for (Step& step : sequence) {
    level->push_back({step.thread, std::move(step.footprint), {}});
    if (step.chooses || ++depth >= most) return;
    level = &level->back().next.nodes_;
  }
}

void WakeupForest::insert(ThreadId thread) {
  if (!holds(thread)) nodes_.push_back({thread, {.accesses = {}, .everything = true}, {}});
}

std::optional<WakeupForest::Branch> WakeupForest::take_first() {
  if (nodes_.empty()) return std::nullopt;
  Branch branch{nodes_.front().thread, std::move(nodes_.front().next)};
  nodes_.erase(nodes_.begin());
  return branch;
}

}  // namespace muster
