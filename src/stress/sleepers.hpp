#pragma once
// Which threads of this process sleep, and cannot wake up by themselves.

#include <sys/types.h>

#include <functional>

namespace muster {

/// Whether every thread that `concerns` is asleep in a wait without a timeout, and was so all the time between two
/// looks at each of them: then nobody is left to wake any. False also where the kernel does not tell.
bool all_asleep(const std::function<bool(pid_t)>& concerns);

}  // namespace muster
