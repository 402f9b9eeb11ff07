#pragma once
// Makes a failing test small: no operation can be removed from it. Then threads are merged and operations moved to the
// initial sequence where that still fails. Line-Up's authors did this by hand (section 5.1).

#include <functional>

#include "check/check_test.hpp"

namespace muster {

/// `better` is told each smaller failure at once, so that it survives this process. The result says whether it was
/// shown to be minimal.
Failure minimise(CheckBench& bench, Failure failure, const std::function<void(const Failure&)>& better);

}  // namespace muster
