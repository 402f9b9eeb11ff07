#pragma once

#include "history/history.hpp"

namespace muster {

/// An operation that is not where the legal order has it.
struct OutOfTurn {
  OperationId operation = never;
  OperationId instead_of = never;  ///< whose turn it was; where that never came, what it would have answered to
  unsigned distance = 0;           ///< how many it overtook, or by how much it moved within its class
};

}  // namespace muster
