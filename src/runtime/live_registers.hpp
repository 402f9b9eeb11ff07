#pragma once
// Which registers of interrupted code still matter to it. A register that is written before it is read again holds what some
// earlier turn of a loop left there: two threads that differ only in that will do the same.

#include <cstdint>

namespace muster {

/// One bit for each register that calls preserve, in the order rbx, rbp, r12, r13, r14, r15.
using PreservedRegisters = std::uint8_t;
constexpr PreservedRegisters every_preserved_register = 0x3f;

/// Those that code may read from `pc` on, up to the return of its function. Errs towards more. Exceptions that the function
/// handles itself are not followed.
PreservedRegisters live_registers(std::uintptr_t pc);

}  // namespace muster
