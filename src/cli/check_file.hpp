#pragma once
// `muster check` for one history.

#include <string>

#include "base/error.hpp"
#include "cli/check_options.hpp"
#include "cli/check_quasi.hpp"
#include "finding/finding.hpp"
#include "spec/spec.hpp"

namespace muster::cli {

/// What all files of one command are judged by, and what they say together.
struct CheckRun {
  const CheckOptions& options;
  SpecPtr model;  ///< of --model
  Report report;
  FactorCounts factors;
  std::string core;  ///< of the first failure, as JSON Lines, if it was asked for
};

/// Judges a file, prints what became of it and adds that to `all`. Throws Error for a file that cannot be judged.
ExitCode check_file(const std::string& path, CheckRun& all);

}  // namespace muster::cli
