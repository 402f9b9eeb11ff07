#pragma once
// Histories of which a partial order of the operations is known, for judges that look at intervals in time.

#include <absl/functional/function_ref.h>

#include <cstdint>

#include "rule/recorded.hpp"

namespace muster {

/// Tells histories whose operations have intervals, with the answers and the order of `history`, and as little order
/// besides as intervals can have. What explains `history` puts its operations into one order, and so explains the
/// intervals around these places: it passes if one of them does. First the order in which calls and returns came.
/// Ends where `tell` returns false; false if there are more than `most`.
bool each_interval_order(const Recorded& history, std::uint64_t most, absl::FunctionRef<bool(const Recorded&)> tell);

}  // namespace muster
