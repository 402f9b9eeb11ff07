#pragma once
// What decides whether a loop that waits is left. A count of turns that only chooses when to yield does not; nor does a
// copy of what was read last. Two turns that differ only in such things are the same to everybody.

#include "runtime/live_state.hpp"

namespace muster {

/// A function that compilers or programs call and that does nothing to what is compared, with the arguments that it
/// takes.
struct PlainCall {
  const void* address;
  unsigned arguments;
};
void know_plain_calls(std::span<const PlainCall> calls);

/// Of `live`, what is live at `pc`, that which decides something about the loop around it: which branches leave it,
/// which memory it touches, and what it writes there. With `to_the_end` also what is read after the loop. All of `live`
/// if there is no loop, or it cannot be followed.
LiveState deciding_state(std::uintptr_t pc, std::uintptr_t function, const LiveState& live, bool to_the_end);

}  // namespace muster
