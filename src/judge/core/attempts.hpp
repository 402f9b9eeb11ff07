#pragma once
// The serial orders of a small history that fails, as far as each gets: what a person would try by hand.

#include <string>
#include <vector>

#include "history/history.hpp"
#include "spec/spec.hpp"

namespace muster {

/// A legal serial order of some operations, and one that could come next and may not.
struct AttemptedOrder {
  std::vector<OperationId> order;
  OperationId refused = 0;
  std::string state;  ///< of the object before `refused`, where the spec can describe it
};

/// Orders that cannot be continued, the longest first, at most `most`. Empty if the history passes, is too large to try
/// out (over `attempted_operations`), or is about several objects.
std::vector<AttemptedOrder> attempted_orders(const History& history, const Spec& spec, std::size_t most);

constexpr std::size_t attempted_operations = 24;

}  // namespace muster
