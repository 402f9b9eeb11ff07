#pragma once
// One call of a function that is not watched: where its stub goes. All registers that can carry arguments or results
// are as they would be without it, and so is what lies on the stack.
//
// The function is called, not jumped to: its return is to be seen. Its frame lies below a copy of the arguments that
// may lie on its caller's stack; how many there are, nobody knows. The alternative, another return address in the place
// of the real one, would need to be found by whoever throws through the function, and to be put back with the stack
// where an execution goes back.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "memory/possible_order.hpp"

namespace muster {

struct FunctionDescription;

struct UnwatchedFunction {
  void* target;
  const std::atomic<bool>* passes;  // whether nothing is to be told of its calls, unless calls are followed
  UnwatchedCode code;
  const FunctionDescription* description;  // null: what it does is not known
  bool tells_afterwards;                   // of what is described, something comes when it returns
  bool leaves_traces;                      // what it gives next depends on what it gave before
  std::string name;                        // as the linker knows it
  std::string library;
};
static_assert(offsetof(UnwatchedFunction, target) == 0 && offsetof(UnwatchedFunction, passes) == 8);

/// As `muster_call_unwatched` saves them.
struct CallRegisters {
  std::uintptr_t integers[6];
  std::uintptr_t rax, r10;
  const UnwatchedFunction* function;
  void* target;
  std::uintptr_t rdx;  // the second half of a result: arguments stay as they were
  std::uintptr_t unused;
  std::byte vectors[8][32];

  std::uintptr_t return_address() const { return beyond()[1]; }
  std::uintptr_t arguments_on_stack() const { return reinterpret_cast<std::uintptr_t>(beyond() + 2); }

 private:
  const std::uintptr_t* beyond() const { return reinterpret_cast<const std::uintptr_t*>(this + 1); }
};
static_assert(offsetof(CallRegisters, rax) == 48 && offsetof(CallRegisters, function) == 64 &&
              offsetof(CallRegisters, target) == 72 && offsetof(CallRegisters, rdx) == 80 &&
              offsetof(CallRegisters, vectors) == 96 && sizeof(CallRegisters) == 352);

struct EnteredCall {
  static constexpr std::size_t jump = ~std::size_t{0};  // nothing is to be told: the function returns to its caller
  static constexpr std::size_t skip = ~std::size_t{1};  // it is not called, and returns what stands for its address
  void* target;
  std::size_t bytes_on_stack;
};

extern "C" EnteredCall muster_enter_unwatched(const UnwatchedFunction& function, CallRegisters& registers);
extern "C" void muster_leave_unwatched(const UnwatchedFunction& function, const CallRegisters& registers);
extern "C" void muster_call_unwatched();

/// Whether it matters in this execution when such a call begins and when it returns.
extern "C" bool muster_follows_calls;

/// To be called before any of these: whether registers may be wider than 16 bytes.
void find_wide_registers();

}  // namespace muster
