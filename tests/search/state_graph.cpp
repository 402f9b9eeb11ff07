// The third judge: all states that a small program can come to, however it is scheduled, walked depth first. A state is
// entered once, so loops end by themselves. Strongly connected parts (Tarjan, "Depth-first search and linear graph
// algorithms", 1972) that are never left again are where it ends, is stuck or goes round for ever.

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/key_table.hpp"
#include "search/program_state.hpp"

namespace muster::test {
namespace {

class Walk {
 public:
  Walk(const SmallProgram& program, std::uint64_t most) : program_(program), most_(most) {}

  Outcomes all() {
    arrive(first_state(program_));
    while (!path_.empty() && nodes_.size() <= most_) go_on();
    outcomes_.executions = nodes_.size();
    outcomes_.exhausted = path_.empty();
    return std::move(outcomes_);
  }

 private:
  struct Node {
    std::uint32_t lowest;
    bool open = true;     // its part of the graph is not known whole
    bool leaves = false;  // that part, by one step
  };
  /// A state whose steps are being made.
  struct Place {
    ProgramState state;
    std::uint32_t node;
    unsigned thread = 0, option = 0;
    bool steps = false;
  };
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t node = 0;
  };

  void go_on() {
    Place& place = path_.back();
    if (place.thread == program_.threads.size()) return leave();
    ProgramState after = place.state;
    if (after.threads[place.thread].finished) {
      ++place.thread;
      return;
    }
    const Step step = make_step(program_, after, place.thread, place.option, outcomes_.set);
    if (++place.option >= step.options) {
      place.option = 0;
      ++place.thread;
    }
    if (!step.possible) return;
    place.steps = true;
    if (step.fatal)
      nodes_[place.node].leaves = true;
    else
      arrive(after);
  }

  /// By a step from the last state of the path.
  void arrive(const ProgramState& state) {
    const auto [entry, fresh] = known_.add(hash_bytes({reinterpret_cast<const std::byte*>(&state), state.size()}));
    if (!fresh) return see_again(nodes_[entry.node]);
    entry.node = static_cast<std::uint32_t>(nodes_.size());
    path_.push_back({state, entry.node});
    open_.push_back(entry.node);
    nodes_.push_back({entry.node});
  }
  void see_again(const Node& node) {
    Node& from = nodes_[path_.back().node];
    if (node.open)
      from.lowest = std::min(from.lowest, node.lowest);
    else
      from.leaves = true;
  }

  /// All that can come after the last state of the path is known.
  void leave() {
    const Place& place = path_.back();
    const std::uint32_t number = place.node;
    if (nodes_[number].lowest == number) close(place);
    path_.pop_back();
    if (!path_.empty()) see_again(nodes_[number]);
  }

  /// From the states entered since this one it can be come back to. Where nothing leads away from them, that is the
  /// end.
  void close(const Place& place) {
    bool leaves = false;
    for (std::uint32_t last = ~0u; last != place.node; open_.pop_back()) {
      last = open_.back();
      leaves |= nodes_[last].leaves;
      nodes_[last].open = false;
    }
    if (leaves) return;
    const bool finished = std::ranges::all_of(place.state.threads, [](const ThreadPart& t) { return t.finished; });
    outcomes_.set.insert(text_of(program_, place.state, place.steps || !finished));
  }

  const SmallProgram& program_;
  std::uint64_t most_;
  KeyTable<Entry> known_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> open_;  // states in the order in which they were entered
  std::vector<Place> path_;
  Outcomes outcomes_;
};

}  // namespace

Outcomes walked(const SmallProgram& program, std::uint64_t most_states) { return Walk(program, most_states).all(); }

}  // namespace muster::test
