#pragma once
// The state of a model thread's own code at the moment it calls the runtime: registers and live stack, without the runtime's frames.

#include <cstdint>

#include "fiber/context.hpp"

namespace muster {

/// A hash of where the calling thread is: program counter, callee-saved registers, live stack bytes and thread-locals of `context`.
std::uint64_t user_state_hash(const Context& context);

}  // namespace muster
