#pragma once
// What was found in the code of a file is found once for each build of it: reading a megabyte of code takes as long as
// all else that a program does when it starts.

#include <string>

#include "instrument/assembly.hpp"

namespace muster {

/// As `unseen_instructions`, of a file that may have been read before: then the answer is kept in the user's folder for
/// such things ($XDG_CACHE_HOME/muster, or ~/.cache/muster), by the build id that the linker gave it.
UnseenInstructions known_unseen_instructions(const std::string& path);

}  // namespace muster
