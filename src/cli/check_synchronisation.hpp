#pragma once
// `muster check` for objects whose operations meet.

#include <string>

#include "base/error.hpp"
#include "cli/check_options.hpp"
#include "finding/finding.hpp"

namespace muster::cli {

/// Whether --spec names an object that is judged by synchronisations.
bool is_synchronisation(const CheckOptions& options);

/// Adds to `report` what it prints, if files are to be written.
ExitCode check_synchronisation(const CheckOptions& options, const std::string& path, Report& report);

}  // namespace muster::cli
