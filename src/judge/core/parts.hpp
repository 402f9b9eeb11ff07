#pragma once
// The operations of a history by the object they are called on.

#include <vector>

#include "spec/spec.hpp"

namespace muster {

struct Part {
  Value key;  ///< `none` where the history has one object only
  std::vector<OperationId> ids;
};

std::vector<OperationId> all_of(const History& history);

/// By key, in the order of the keys.
std::vector<Part> split_by_key(const Binding& binding);

}  // namespace muster
