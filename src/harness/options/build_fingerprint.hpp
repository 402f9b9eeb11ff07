#pragma once
// Which build of the program runs: what another one saved may not fit.

#include <string>

namespace muster {

/// A fingerprint of the running program's file.
const std::string& build_fingerprint();

/// One of the libraries that are loaded, by their build ids.
const std::string& libraries_fingerprint();

}  // namespace muster
