#pragma once
// The state of a model thread's own code at the moment it calls the runtime: registers and live stack, without the
// runtime's frames.

#include <cstdint>

#include "fiber/context.hpp"

namespace muster {

/// Which of what is live counts. Whether a loop waits is decided by less than what the thread does after it.
enum class Lens : std::uint8_t {
  all,
  this_loop,            // what decides about the loop that the innermost function is in
  this_loop_and_after,  // and what is read after it
};

/// A hash of where the calling thread is: program counter, callee-saved registers, live stack bytes and thread-locals
/// of `context`.
std::uint64_t user_state_hash(const Context& context, Lens lens = Lens::all);

}  // namespace muster
