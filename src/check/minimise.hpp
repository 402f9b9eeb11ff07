#pragma once
// Makes a failing test small: no operation can be removed from it, and as many as possible are moved to the initial sequence. Line-Up's
// authors did this by hand (section 5.1).

#include <functional>

#include "check/check_test.hpp"

namespace muster {

/// `better` is told each smaller failure at once, so that it survives this process. The result says whether it was shown to be minimal.
Failure minimise(CheckBench& bench, Failure failure, const std::function<void(const Failure&)>& better);

}  // namespace muster
