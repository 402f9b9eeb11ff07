#pragma once
// Searches that go through the calls and returns once, with all that can be true at each moment: a frontier is what is
// linearized of the open operations, the state of the object, and what was used of the operations that never return.
//
// As in the just-in-time search, an operation is linearized only when a return forces one. Unlike it, operations that
// nothing tells apart are taken in the order in which they must return (in any explanation two of them can change
// places), and a frontier that another one covers is left out. What grows is the number of frontiers at a moment,
// exponentially with the operations that are open at once; the length of the history costs time, not memory.
//
// Few frontiers are kept at first: what is explained so is explained. Where none is left although some were cut off,
// the search goes back, further and with more frontiers each time, and on with few once it is past that place. It fails
// only where none is left and none was cut off.

#include <optional>
#include <span>

#include "judge/core/options.hpp"
#include "judge/core/verdict.hpp"
#include "spec/spec.hpp"

namespace muster {

/// Nothing where more operations overlap than frontiers can hold. The operations belong to one key.
std::optional<Verdict> search_frontiers(const Binding& binding, std::span<const OperationId> ids,
                                        const JudgeOptions& options);

}  // namespace muster
