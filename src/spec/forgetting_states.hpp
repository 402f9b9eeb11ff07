#pragma once
// State spaces that can forget states that nobody needs any more.

#include <vector>

#include "spec/spec.hpp"

namespace muster {

class ForgettingStates : public StateSpace {
 public:
  /// Forgets all states but these, which get new numbers in their places; the initial state keeps its own.
  virtual void keep(std::vector<StateId>& states) = 0;
};

}  // namespace muster
