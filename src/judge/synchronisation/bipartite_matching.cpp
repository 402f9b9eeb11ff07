#include "judge/synchronisation/bipartite_matching.hpp"

#include <algorithm>

namespace muster {
namespace {

using Vertex = std::uint32_t;

class HopcroftKarp {
 public:
  HopcroftKarp(Vertex left, Vertex right, const std::vector<std::pair<Vertex, Vertex>>& edges)
      : first_(left + 1), neighbours_(edges.size()), partner_(left, unmatched), owner_(right, unmatched), layer_(left) {
    for (const auto& [from, to] : edges) ++first_[from + 1];
    for (Vertex v = 0; v < left; ++v) first_[v + 1] += first_[v];
    std::vector<Vertex> at(first_.begin(), first_.end() - 1);
    for (const auto& [from, to] : edges) neighbours_[at[from]++] = to;
  }

  std::vector<Vertex> run() {
    match_greedily();
    while (layer_from_free()) {
      next_.assign(first_.begin(), first_.end() - 1);
      for (Vertex v = 0; v < partner_.size(); ++v) {
        if (partner_[v] == unmatched) augment(v);
      }
    }
    return partner_;
  }

 private:
  void match_greedily() {
    for (Vertex v = 0; v < partner_.size(); ++v) {
      for (Vertex e = first_[v]; e < first_[v + 1]; ++e) {
        if (owner_[neighbours_[e]] != unmatched) continue;
        marry(v, neighbours_[e]);
        break;
      }
    }
  }

  /// Shortest alternating paths from free left vertices; false if none ends at a free right one.
  bool layer_from_free() {
    queue_.clear();
    for (Vertex v = 0; v < partner_.size(); ++v) {
      layer_[v] = partner_[v] == unmatched ? 0 : unmatched;
      if (layer_[v] == 0) queue_.push_back(v);
    }
    bool found = false;
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const Vertex v = queue_[at];
      for (Vertex e = first_[v]; e < first_[v + 1]; ++e) {
        const Vertex owner = owner_[neighbours_[e]];
        if (owner == unmatched) {
          found = true;
        } else if (layer_[owner] == unmatched) {
          layer_[owner] = layer_[v] + 1;
          queue_.push_back(owner);
        }
      }
    }
    return found;
  }

  /// Depth first along the layers, without recursion: paths of long histories are long.
  bool augment(Vertex start) {
    path_.assign(1, start);
    while (!path_.empty()) {
      const Vertex v = path_.back();
      if (next_[v] == first_[v + 1]) {
        layer_[v] = unmatched;
        path_.pop_back();
        continue;
      }
      const Vertex to = neighbours_[next_[v]++];
      const Vertex owner = owner_[to];
      if (owner == unmatched) {
        // Each vertex of the path takes the neighbour it went along last.
        for (const Vertex on_path : path_) marry(on_path, neighbours_[next_[on_path] - 1]);
        return true;
      }
      if (layer_[owner] == layer_[v] + 1) path_.push_back(owner);
    }
    return false;
  }

  void marry(Vertex left, Vertex right) {
    partner_[left] = right;
    owner_[right] = left;
  }

  std::vector<Vertex> first_, neighbours_, partner_, owner_, layer_, next_, queue_, path_;
};

}  // namespace

std::vector<Vertex> bipartite_matching(Vertex left, Vertex right, const std::vector<std::pair<Vertex, Vertex>>& edges) {
  return HopcroftKarp(left, right, edges).run();
}

}  // namespace muster
