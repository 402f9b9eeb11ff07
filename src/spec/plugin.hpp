#pragma once

#include <string>

#include "spec/spec.hpp"

namespace muster {

/// The spec in a shared library built with muster/model.hpp. Throws Error if the file is no such library.
SpecPtr load_model(const std::string& path);

}  // namespace muster
