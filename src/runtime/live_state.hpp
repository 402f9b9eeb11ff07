#pragma once
// What of interrupted code still matters to it. A register or a variable on the stack that is written before it is read
// again holds what some earlier turn of a loop left there: two threads that differ only in that will do the same.

#include <cstdint>
#include <span>
#include <vector>

namespace muster {

/// One bit for each register that calls preserve, in the order rbx, rbp, r12, r13, r14, r15.
using PreservedRegisters = std::uint8_t;
constexpr unsigned preserved_register_count = 6;
constexpr int frame_pointer = 1;  // the number of rbp among them
constexpr PreservedRegisters every_preserved_register = (1u << preserved_register_count) - 1;

/// A variable on the stack, by its distance from the frame pointer.
struct FrameSlot {
  std::int64_t offset;
  unsigned size;
  bool operator==(const FrameSlot&) const = default;
};

struct LiveState {
  PreservedRegisters registers = every_preserved_register;  // that code may read, up to the return of its function
  std::vector<FrameSlot> dead;                              // that it will not read before it writes them
};

/// What is live from `pc` on, in the function that begins at `function` (0: not known). Errs towards more. Exceptions
/// that the function handles itself are not followed.
const LiveState& live_state(std::uintptr_t pc, std::uintptr_t function);

/// A function that compilers call about an access. What it is told about a variable on the stack it does not tell
/// anybody.
struct AccessHook {
  enum class Kind : std::uint8_t { read, write, compare_exchange } kind;
  const void* address;
  unsigned size;  // of what the first argument points to, or the second, of a compare-exchange
};
void know_access_hooks(std::span<const AccessHook> hooks);

}  // namespace muster
