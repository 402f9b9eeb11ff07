#pragma once
// Tells executions that come out right from those that do not: what that means, whoever makes the executions need not
// know.

#include "search/search.hpp"

namespace muster {

/// What became of an execution; `nothing` where it was given up, as another one shows the same.
enum class Fate : std::uint8_t { right, wrong, undecided, nothing };

class Referee : public Task {
 public:
  /// Of the last execution.
  virtual Fate fate() const = 0;
};

}  // namespace muster
