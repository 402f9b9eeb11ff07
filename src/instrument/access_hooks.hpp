#pragma once
// The hooks about accesses, for those who read the program's code.

namespace muster {

void tell_access_hooks();

}  // namespace muster
