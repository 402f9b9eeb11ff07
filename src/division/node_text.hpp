#pragma once
// A node of a reduced search's tree as a line of a checkpoint: who divides a search looks at what is left to take
// there, and at nothing else.

#include <cstdint>
#include <string>
#include <vector>

namespace muster {

struct NodeText {
  static constexpr std::uint64_t no_parent = 0xffffffff;

  /// Throws Error for a line that is none.
  static NodeText parse(const std::string& line);
  std::string line() const;

  /// Branches to take, each of `executions`, about.
  std::uint64_t open() const;
  /// A branch that was begun, and what its first transition touches.
  struct Started {
    unsigned thread = 0;
    unsigned parts = 0;     // of that which are not known: values below the node have to be tried first
    std::string footprint;  // as it stands there
  };
  bool waits_for_values() const;

  std::uint64_t parent = no_parent;  // its number among the nodes
  std::uint64_t parent_branch = 0;
  std::uint64_t first_option = 0;
  bool expanded = false;
  std::uint64_t enabled = 0, asleep = 0, to_explore = 0;
  bool elsewhere = false;  // another part takes what is left
  double executions = 0;
  std::vector<Started> started;
  std::string path;          // decisions up to its own: no two nodes have the same
  std::vector<int> indices;  // the options taken on the way there; its own is -1, so that it comes before those below
  bool chooses_value = false;
  std::uint64_t transition = 0;
};

}  // namespace muster
