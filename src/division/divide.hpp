#pragma once
// A search that was stopped, as parts that may be gone on with anywhere, at any time; and their results as one again.
// Whoever does a part takes what is left at the nodes that are its own. What it finds to be wanted at the others, above
// them, it writes down: it is left when the parts are joined, unless another part has done it.

#include <string>
#include <vector>

#include "division/checkpoint_text.hpp"

namespace muster {

/// At most `count` parts with about as many executions each, none empty. Throws Error if nothing is left. Parts of a
/// part have its number.
std::vector<CheckpointText> divide(const CheckpointText& whole, unsigned count);

struct Joined {
  CheckpointText rest;            // to be divided again, or gone on with
  std::vector<unsigned> missing;  // parts that were not run
  bool all_given = true;          // or at least are given as they were before: then nothing is lost in `rest`
  std::vector<unsigned> failed, undecided, stopped;
  struct Learned {
    std::string what;
    std::vector<unsigned> parts;  // that found it
    bool everything_again;        // all parts of that search; else those that found it
  };
  std::vector<Learned> learned;
};

/// Parts of one division, each as it was made or, once it was run, as its result. Throws Error if they are of several,
/// or one is given twice.
Joined join(const std::vector<CheckpointText>& parts);

/// The same of any parts of one division. If others are still to come, `everything` that they may have to be compared
/// with is kept.
Joined join_all(const std::vector<const CheckpointText*>& parts, bool everything);

}  // namespace muster
