#pragma once
// Which build of the program runs: what another one saved may not fit.

#include <string>

namespace muster {

/// A fingerprint of the running program's file.
const std::string& build_fingerprint();

}  // namespace muster
