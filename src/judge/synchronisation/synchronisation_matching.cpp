// Stateless specs of arity at most two: a matching that covers every operation that returned and did not do so alone
// (sections 6.3 and 6.4). Hopcroft-Karp where operations fall into two sides, Edmonds' blossoms otherwise.

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <limits>
#include <numeric>
#include <optional>

#include "judge/core/limits.hpp"
#include "judge/synchronisation/bipartite_matching.hpp"
#include "judge/synchronisation/meetings.hpp"

namespace muster {
namespace {

struct Edge {
  Meeter a, b;  // in the order of the mode's roles
  unsigned mode;
};

/// Which side of a bipartite graph each operation of the spec stands on; nothing if some mode has both on one.
std::optional<std::vector<char>> sides(const SyncSpec& spec) {
  std::vector<char> side(spec.operations().size(), -1);
  for (bool again = true; again;) {
    again = false;
    for (const SyncMode& mode : spec.modes()) {
      if (mode.arity() != 2) continue;
      char& a = side[mode.participants[0]];
      char& b = side[mode.participants[1]];
      if (a < 0 && b < 0) a = 0;
      if (a < 0 || b < 0) {
        (a < 0 ? a : b) = static_cast<char>(1 - (a < 0 ? b : a));
        again = true;
      }
      if (a == b) return std::nullopt;
    }
  }
  return side;
}

class Matching {
 public:
  Matching(const Meeters& meeters, bool progress, const SyncOptions& options)
      : meeters_(meeters),
        progress_(progress),
        limits_(options.limits),
        states_(meeters.spec().states()),
        state_(states_->initial()),
        alone_(meeters.size(), no_mode),
        partner_(meeters.size(), unmatched) {}

  SyncVerdict run() {
    find_loners();
    if (!find_edges()) return Undecided{limits_.reason(), 0};
    if (const auto side = sides(meeters_.spec())) {
      match_two_sides(*side);
    } else {
      match_components();
    }
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      if (is_required(m) && partner_[m] == unmatched) return unexplained(meeters_, m);
    }
    if (progress_) {
      std::vector<Meeter> waiting;
      for (Meeter m = 0; m < meeters_.size(); ++m) {
        if (meeters_.is_pending(m)) waiting.push_back(m);
      }
      Outcomes outcomes(meeters_);
      auto able = could_synchronise(meeters_, outcomes, outcomes.initial(), waiting);
      if (!able.empty()) return waiting_for_ever(meeters_, std::move(able));
    }
    return witness();
  }

 private:
  static constexpr unsigned no_mode = ~0u;

  bool takes_part(Meeter m) const { return !(progress_ && meeters_.is_pending(m)); }
  /// What returned, and could not have done so alone, has met somebody.
  bool is_required(Meeter m) const { return !meeters_.is_pending(m) && alone_[m] == no_mode; }

  bool allows(unsigned mode, std::span<const Meeter> participants) {
    std::array<Arguments, 2> arguments;
    for (std::size_t i = 0; i < participants.size(); ++i) arguments[i] = meeters_.arguments(participants[i]);
    for (const SyncOutcome& outcome :
         states_->outcomes(state_, mode, std::span(arguments).first(participants.size()))) {
      if (meeters_.all_fit(participants, outcome.responses)) return true;
    }
    return false;
  }

  void find_loners() {
    const auto modes = meeters_.spec().modes();
    for (unsigned mode = 0; mode < modes.size(); ++mode) {
      if (modes[mode].arity() != 1) continue;
      for (Meeter m = 0; m < meeters_.size(); ++m) {
        if (alone_[m] == no_mode && !meeters_.is_pending(m) && meeters_.operation(m) == modes[mode].participants[0] &&
            allows(mode, {&m, 1}))
          alone_[m] = mode;
      }
    }
  }

  /// Two that overlap and may meet with their responses. Each pair once: when the later one is called.
  bool find_edges() {
    std::vector<std::pair<Position, Meeter>> events;
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      if (!takes_part(m)) continue;
      events.push_back({meeters_.call(m), m});
      if (!meeters_.is_pending(m)) events.push_back({meeters_.ret(m), m});
    }
    std::ranges::sort(events);
    std::vector<Meeter> open;
    for (const auto& [position, m] : events) {
      if (position != meeters_.call(m)) {
        open.erase(std::ranges::find(open, m));
        continue;
      }
      for (const Meeter other : open) {
        if (limits_.hit([&] { return edges_.capacity() * sizeof(Edge); })) return false;
        add_edge(other, m);
      }
      open.push_back(m);
    }
    return true;
  }

  void add_edge(Meeter a, Meeter b) {
    // Two that need nobody gain nothing from meeting.
    if (!is_required(a) && !is_required(b)) return;
    const auto modes = meeters_.spec().modes();
    for (unsigned mode = 0; mode < modes.size(); ++mode) {
      if (modes[mode].arity() != 2) continue;
      for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
        if (meeters_.operation(first) != modes[mode].participants[0] ||
            meeters_.operation(second) != modes[mode].participants[1])
          continue;
        const Meeter both[] = {first, second};
        if (!allows(mode, both)) continue;
        edges_.push_back({first, second, mode});
        return;
      }
    }
  }

  /// A matching that covers what is required, and others as it likes, is a perfect one of two copies of the graph in
  /// which each vertex that is not required is also joined to its copy.
  bool needs_copy() const {
    for (const Edge& edge : edges_) {
      if (!is_required(edge.a) || !is_required(edge.b)) return true;
    }
    return false;
  }

  void match_two_sides(const std::vector<char>& side) {
    const auto count = static_cast<std::uint32_t>(meeters_.size());
    std::vector<std::uint32_t> index(count);
    std::uint32_t size[2] = {0, 0};
    for (Meeter m = 0; m < count; ++m) index[m] = size[side[meeters_.operation(m)] == 1]++;
    const auto is_right = [&](Meeter m) { return side[meeters_.operation(m)] == 1; };
    const bool copy = needs_copy();
    // The copy of a right vertex is a left one, after those of the graph itself.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const Edge& edge : edges_) {
      const Meeter left = is_right(edge.a) ? edge.b : edge.a, right = is_right(edge.a) ? edge.a : edge.b;
      pairs.emplace_back(index[left], index[right]);
      if (copy) pairs.emplace_back(size[0] + index[right], size[1] + index[left]);
    }
    for (Meeter m = 0; m < count && copy; ++m) {
      if (is_required(m)) continue;
      if (is_right(m)) {
        pairs.emplace_back(size[0] + index[m], index[m]);
      } else {
        pairs.emplace_back(index[m], size[1] + index[m]);
      }
    }
    const std::uint32_t all = copy ? size[0] + size[1] : 0;
    const auto partners = bipartite_matching(copy ? all : size[0], copy ? all : size[1], pairs);
    std::vector<Meeter> on_right(size[1]);
    for (Meeter m = 0; m < count; ++m) {
      if (is_right(m)) on_right[index[m]] = m;
    }
    for (Meeter m = 0; m < count; ++m) {
      if (is_right(m) || partners[index[m]] == unmatched || partners[index[m]] >= size[1]) continue;
      partner_[m] = on_right[partners[index[m]]];
      partner_[partner_[m]] = m;
    }
  }

  /// Components are small where the history is quiet now and then, and searching for blossoms looks at whole graphs.
  void match_components() {
    std::vector<Meeter> parent(meeters_.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](Meeter m) {
      while (parent[m] != m) m = parent[m] = parent[parent[m]];
      return m;
    };
    for (const Edge& edge : edges_) parent[root(edge.a)] = root(edge.b);
    std::vector<std::vector<std::size_t>> edges_of(meeters_.size());
    for (std::size_t i = 0; i < edges_.size(); ++i) edges_of[root(edges_[i].a)].push_back(i);
    for (const auto& component : edges_of) {
      if (!component.empty()) match_blossoms(component);
    }
  }

  void match_blossoms(const std::vector<std::size_t>& component) {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    std::vector<Meeter> members;
    for (const std::size_t i : component) members.insert(members.end(), {edges_[i].a, edges_[i].b});
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const auto index = [&](Meeter m) {
      return static_cast<std::size_t>(std::ranges::lower_bound(members, m) - members.begin());
    };
    const bool copy = !std::ranges::all_of(members, [this](Meeter m) { return is_required(m); });
    Graph graph(members.size() * (copy ? 2 : 1));
    for (const std::size_t i : component) {
      boost::add_edge(index(edges_[i].a), index(edges_[i].b), graph);
      if (copy) boost::add_edge(members.size() + index(edges_[i].a), members.size() + index(edges_[i].b), graph);
    }
    for (std::size_t i = 0; i < members.size() && copy; ++i) {
      if (!is_required(members[i])) boost::add_edge(i, members.size() + i, graph);
    }
    std::vector<Graph::vertex_descriptor> mate(boost::num_vertices(graph));
    boost::edmonds_maximum_cardinality_matching(graph, mate.data());
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (mate[i] != boost::graph_traits<Graph>::null_vertex() && mate[i] < members.size())
        partner_[members[i]] = members[mate[i]];
    }
  }

  SyncVerdict witness() const {
    std::vector<Synchronisation> meetings;
    for (const Edge& edge : edges_) {
      if (partner_[edge.a] == edge.b) meetings.push_back({edge.mode, {meeters_.id(edge.a), meeters_.id(edge.b)}});
    }
    for (Meeter m = 0; m < meeters_.size(); ++m) {
      if (partner_[m] == unmatched && alone_[m] != no_mode) meetings.push_back({alone_[m], {meeters_.id(m)}});
    }
    return in_order(meeters_, std::move(meetings));
  }

  const Meeters& meeters_;
  bool progress_;
  Limits limits_;
  std::unique_ptr<SyncStates> states_;
  StateId state_;
  std::vector<unsigned> alone_;  // the mode in which an operation may have returned by itself
  std::vector<Edge> edges_;
  std::vector<Meeter> partner_;
};

}  // namespace

SyncVerdict match_synchronisations(const Meeters& meeters, bool progress, const SyncOptions& options) {
  return Matching(meeters, progress, options).run();
}

}  // namespace muster
