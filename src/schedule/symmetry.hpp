#pragma once
// Threads that run the same code are interchangeable as long as they have done the same, and nothing yet that others can notice:
// where one of them steps, an execution in which another steps instead is the same but for their names.

#include <cstdint>
#include <vector>

#include "schedule/causal_order.hpp"

namespace muster {

class Symmetry {
 public:
  /// Each mask: threads that run the same code.
  explicit Symmetry(std::vector<std::uint64_t> alike) : alike_(std::move(alike)) {}

  bool any() const { return !alike_.empty(); }

  /// For each of `threads` after the transitions of `order`, which are closed: the masks of those, two or more, that are
  /// interchangeable now. `chose` holds the threads that were told values, which need not be the same.
  std::vector<std::uint64_t> groups(const CausalOrder& order, std::uint64_t threads, std::uint64_t chose) const;

 private:
  std::vector<std::uint64_t> alike_;
};

/// Whether two threads' transitions in `order` only read, the same at the same places of the order.
bool did_the_same(const CausalOrder& order, ThreadId a, ThreadId b);

}  // namespace muster
