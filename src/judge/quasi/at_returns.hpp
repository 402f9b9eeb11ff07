#pragma once

#include <span>

#include "spec/spec.hpp"

namespace muster {

/// Whether a relaxed object explains a few operations if each takes effect when it returns, an insertion earlier where
/// its item is removed before. Most short histories are explained so, and it costs next to nothing; false proves
/// nothing.
bool explained_at_returns(const Binding& binding, std::span<const OperationId> ids);

}  // namespace muster
