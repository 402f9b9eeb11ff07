#pragma once
// Calls of code that is not watched which no stub sees: through pointers that a library hands out, through virtual
// functions of classes that it keeps to itself. An execution that is run again, to show what was found, sees them: of
// the program's code and that of such libraries only one can be executed at a time, so that every way from one to the
// other is a fault. That is slow, and the code may be whatever it is.

#include <cstdint>
#include <vector>

#include "instrument/modules.hpp"

namespace muster {

/// From now on, in this process.
void see_escaped_calls(const std::vector<const Module*>& unwatched, const std::vector<Module>& all);

/// An execution begins.
void forget_escaped_calls();

/// Whether a fault was such a way, with the address of the instruction that was to be executed: it can be, now.
bool is_way_to_other_code(std::uintptr_t instruction, std::uintptr_t stack);

}  // namespace muster
