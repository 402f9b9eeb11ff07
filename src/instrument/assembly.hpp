#pragma once
// Instructions of watched code that no hook tells of: atomic ones in inline assembly, and those that read the time
// stamp counter. The compiler instruments what it makes of C++, not what it is given as assembly.

#include <string>
#include <vector>

namespace muster {

struct UnseenInstructions {
  std::vector<std::string> atomic;    // functions that have them
  std::vector<std::string> counters;  // functions that read the time stamp counter
};

/// Looks at the code of one file, an executable or a shared library.
UnseenInstructions unseen_instructions(const std::string& path);

}  // namespace muster
