#pragma once
// The variables of one function that lie on its stack and that nobody else can reach: their addresses go nowhere but to
// the hooks that compilers call about accesses.

#include <unordered_map>
#include <vector>

#include "runtime/live_state.hpp"

namespace muster {

struct FrameSlots {
  std::vector<FrameSlot> slots;
  /// Instructions that hand the address of a slot to a hook, which reads it.
  std::unordered_map<std::uintptr_t, std::size_t> read_by_hook;
};

/// Empty for functions without a frame pointer, and where their code does not tell.
FrameSlots frame_slots(std::uintptr_t function);

}  // namespace muster
