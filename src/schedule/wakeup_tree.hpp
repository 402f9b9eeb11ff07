#pragma once
// What is left to explore from one state: sequences of transitions that reverse races, as an ordered forest (Abdulla,
// Aronis, Jonsson, Sagonas, "Source Sets", JACM 2017, section 6). An execution that follows one of them never ends up
// where all that can step sleeps.

#include <optional>
#include <span>
#include <vector>

#include "schedule/footprint.hpp"

namespace muster {

struct Step {
  ThreadId thread = 0;
  Footprint footprint;
  bool chooses = false;  // another value may be chosen in it: what follows is not known to fit
};

/// How a thread relates to a sequence of transitions.
enum class Initial : std::uint8_t {
  no,
  unknown,  // commutes with all of it but what nothing is known about
  weak,     // commutes with all of it: some execution that the sequence begins has the thread first
  yes,      // is part of it and may come first in it, whatever follows
};
Initial initial(ThreadId thread, const Footprint& footprint, std::span<const Step> sequence);

class WakeupForest {
 public:
  struct Node;

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  bool holds(ThreadId thread) const;

  /// Adds `sequence` unless an execution that is going to be made contains it. Keeps at most `most` transitions of it:
  /// one gives source sets, all give executions without redundancy, and what is between bounds the memory.
  void insert(std::vector<Step> sequence, std::size_t most);

  /// Adds a thread about whose next transition nothing is known.
  void insert(ThreadId thread);

  struct Branch;
  /// Removes the first branch.
  std::optional<Branch> take_first();

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Node> nodes_;
};

struct WakeupForest::Node {
  ThreadId thread = 0;
  Footprint footprint;
  bool shortened = false;  // more of the sequence was known than is kept: what follows must be found again
  WakeupForest next;
};

struct WakeupForest::Branch {
  ThreadId thread;
  bool shortened;
  WakeupForest next;
};

}  // namespace muster
