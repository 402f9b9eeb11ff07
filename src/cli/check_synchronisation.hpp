#pragma once
// `muster check` for objects whose operations meet.

#include <string>

#include "cli/check_options.hpp"
#include "finding/finding.hpp"

namespace muster::cli {

/// Whether --spec names an object that is judged by synchronisations.
bool is_synchronisation(const CheckOptions& options);

Result check_synchronisation(const CheckOptions& options, const std::string& path);

}  // namespace muster::cli
