#pragma once
// Reading what `muster check` judges.

#include <string>

#include "cli/check_options.hpp"
#include "history/history.hpp"

namespace muster::cli {

/// Throws Error for a malformed file, and for one in which nothing happened.
History read_log(const std::string& path, const CheckOptions& options);

}  // namespace muster::cli
