#pragma once
// `muster check` for one history.

#include <string>

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

/// Judges a file; of a relaxed object it adds its factor to `all`, and of the first failure its core. Throws Error for
/// a file that cannot be judged.
Result check_file(const std::string& path, CheckRun& all);

}  // namespace muster::cli
