#include "memory/graph.hpp"

#include <bit>

#include "base/assert.hpp"

namespace muster::weak {
namespace {

constexpr unsigned most_nodes = 64;

/// A relation between nodes; `|`, `*` and `plus` are union, composition and transitive closure.
class Relation {
 public:
  explicit Relation(unsigned size) : size_(size) {}
  bool operator()(unsigned from, unsigned to) const { return rows_[from] >> to & 1; }
  void add(unsigned from, unsigned to) { rows_[from] |= std::uint64_t{1} << to; }
  void remove(unsigned from, unsigned to) { rows_[from] &= ~(std::uint64_t{1} << to); }

  friend Relation operator|(Relation left, const Relation& right) {
    for (unsigned i = 0; i < left.size_; ++i) left.rows_[i] |= right.rows_[i];
    return left;
  }
  friend Relation operator*(const Relation& left, const Relation& right) {
    Relation result(left.size_);
    for (unsigned i = 0; i < left.size_; ++i) {
      for (std::uint64_t row = left.rows_[i]; row; row &= row - 1)
        result.rows_[i] |= right.rows_[std::countr_zero(row)];
    }
    return result;
  }
  Relation plus() const {
    Relation result = *this;
    for (unsigned via = 0; via < size_; ++via) {
      for (unsigned i = 0; i < size_; ++i) {
        if (result(i, via)) result.rows_[i] |= result.rows_[via];
      }
    }
    return result;
  }
  Relation optional() const {
    Relation result = *this;
    for (unsigned i = 0; i < size_; ++i) result.add(i, i);
    return result;
  }
  Relation inverse() const {
    Relation result(size_);
    for (unsigned i = 0; i < size_; ++i) {
      for (std::uint64_t row = rows_[i]; row; row &= row - 1)
        result.add(static_cast<unsigned>(std::countr_zero(row)), i);
    }
    return result;
  }
  bool is_irreflexive() const {
    for (unsigned i = 0; i < size_; ++i) {
      if ((*this)(i, i)) return false;
    }
    return true;
  }

 private:
  unsigned size_;
  std::array<std::uint64_t, most_nodes> rows_{};
};

/// An update is two nodes, a read and a write.
struct Node {
  int thread;  // -1: an initial value
  char kind;   // R, W or F
  Location location;
  Order order;
  EventIndex event;
};

/// The relations of the paper, by the names that it gives them.
class Relations {
 public:
  explicit Relations(const Graph& graph) : graph_(graph), nodes_(make_nodes()) {
    MUSTER_ASSERT(nodes_.size() <= most_nodes);
    add_basic();
    rb = rf.inverse() * mo;
    sw = select([&](const Node& n) { return n.kind != 'R' && releases(n.order) && n.thread >= 0; }) *
         (select([&](const Node& n) { return n.kind == 'F'; }) * sb).optional() * release_sequences() * rf *
         (sb * select([&](const Node& n) { return n.kind == 'F'; })).optional() *
         select([&](const Node& n) { return n.kind != 'W' && acquires(n.order); });
    hb = (sb | sw).plus();
    eco = (rf | mo | rb).plus();
  }

  std::set<Race> races(Location at) const {
    std::set<Race> found;
    for (unsigned i = location_count; i < size(); ++i) {
      for (unsigned j = i + 1; j < size(); ++j) {
        if (nodes_[i].thread == nodes_[j].thread || nodes_[i].location != at || !same_location(i, j)) continue;
        if (hb(i, j) || hb(j, i) || (nodes_[i].kind == 'R' && nodes_[j].kind == 'R')) continue;
        const unsigned first = nodes_[i].thread < nodes_[j].thread ? i : j, second = i + j - first;
        found.insert({static_cast<unsigned>(nodes_[first].thread), static_cast<unsigned>(nodes_[second].thread),
                      pc(first), pc(second)});
      }
    }
    return found;
  }

  Relation psc() const {
    const Relation strong = select([](const Node& n) { return n.thread >= 0 && n.order == Order::seq_cst; });
    const Relation fences = select([](const Node& n) { return n.kind == 'F' && n.order == Order::seq_cst; });
    const Relation elsewhere = among(sb, [this](unsigned i, unsigned j) { return !same_location(i, j); });
    const Relation here = among(hb, [this](unsigned i, unsigned j) { return same_location(i, j); });
    const Relation scb = sb | elsewhere * hb * elsewhere | here | mo | rb;
    return (strong | fences * hb.optional()) * scb * (strong | hb.optional() * fences) |
           fences * (hb | hb * eco * hb) * fences;
  }

 private:
  std::vector<Node> make_nodes() const {
    std::vector<Node> nodes;
    for (Location at = 0; at < location_count; ++at) nodes.push_back({-1, 'W', at, rlx, initial});
    for (std::size_t e = 0; e < graph_.events.size(); ++e) {
      const int thread = static_cast<int>(graph_.events[e].thread);
      const Access& access = graph_.events[e].access;
      const auto add = [&](char kind) {
        nodes.push_back({thread, kind, access.location, access.order, static_cast<EventIndex>(e)});
      };
      if (access.is_fence()) add('F');
      if (access.reads) add('R');
      if (access.writes) add('W');
    }
    return nodes;
  }

  void add_basic() {
    for (unsigned i = 0; i < size(); ++i) {
      for (unsigned j = 0; j < size(); ++j) {
        if (nodes_[j].thread < 0) continue;
        if (nodes_[i].thread < 0 || (nodes_[i].thread == nodes_[j].thread && i < j)) sb.add(i, j);
      }
      if (nodes_[i].kind != 'R') continue;
      rf.add(write_node(graph_.events[static_cast<std::size_t>(nodes_[i].event)].source, nodes_[i].location), i);
      if (i + 1 < size() && nodes_[i + 1].event == nodes_[i].event) rmw.add(i, i + 1);
    }
    for (Location at = 0; at < location_count; ++at) {
      const auto& order = graph_.order[at];
      for (std::size_t later = 0; later < order.size(); ++later) {
        mo.add(at, write_node(order[later], at));
        for (std::size_t earlier = 0; earlier < later; ++earlier)
          mo.add(write_node(order[earlier], at), write_node(order[later], at));
      }
    }
  }

  unsigned write_node(EventIndex event, Location at) const {
    if (event == initial) return at;
    for (unsigned i = 0; i < size(); ++i) {
      if (nodes_[i].event == event && nodes_[i].kind == 'W') return i;
    }
    MUSTER_ASSERT(!"a read of what was not written");
    return 0;
  }

  Relation release_sequences() const {
    return select([](const Node& n) { return n.kind == 'W'; }) * (rf * rmw).plus().optional();
  }
  template <class Test>
  Relation select(Test test) const {
    Relation result(size());
    for (unsigned i = 0; i < size(); ++i) {
      if (test(nodes_[i])) result.add(i, i);
    }
    return result;
  }
  template <class Test>
  Relation among(Relation relation, Test test) const {
    for (unsigned i = 0; i < size(); ++i) {
      for (unsigned j = 0; j < size(); ++j) {
        if (relation(i, j) && !test(i, j)) relation.remove(i, j);
      }
    }
    return relation;
  }
  std::uint8_t pc(unsigned i) const { return graph_.events[static_cast<std::size_t>(nodes_[i].event)].access.pc; }
  bool same_location(unsigned i, unsigned j) const {
    return nodes_[i].kind != 'F' && nodes_[j].kind != 'F' && nodes_[i].location == nodes_[j].location;
  }
  unsigned size() const { return static_cast<unsigned>(nodes_.size()); }

  const Graph& graph_;
  std::vector<Node> nodes_;

 public:
  Relation sb{size()}, rf{size()}, mo{size()}, rmw{size()}, rb{size()}, sw{size()}, hb{size()}, eco{size()};
};

bool has_strong(const Graph& graph) {
  for (const Event& event : graph.events) {
    if (event.access.order == Order::seq_cst) return true;
  }
  return false;
}

}  // namespace

bool is_coherent(const Graph& graph) {
  const Relations r(graph);
  return r.hb.is_irreflexive() && (r.hb * r.eco).is_irreflexive();
}

bool is_atomic(const Graph& graph) {
  for (std::size_t e = 0; e < graph.events.size(); ++e) {
    const Event& event = graph.events[e];
    if (!event.access.reads || !event.access.writes) continue;
    EventIndex before = initial;
    for (const EventIndex other : graph.order[event.access.location]) {
      if (other == static_cast<EventIndex>(e)) break;
      before = other;
    }
    if (before != event.source) return false;
  }
  return true;
}

bool is_sequentially_consistent(const Graph& graph) {
  return !has_strong(graph) || Relations(graph).psc().plus().is_irreflexive();
}

std::set<Race> races(const Graph& graph, Location at) { return Relations(graph).races(at); }

bool is_grounded(const Graph& graph) {
  const Relations r(graph);
  return (r.sb | r.rf).plus().is_irreflexive();
}

}  // namespace muster::weak
