#pragma once

#include <sys/types.h>

namespace muster {

/// The process in every execution; its threads are numbered from there.
constexpr pid_t controlled_process = 1000;

}  // namespace muster
