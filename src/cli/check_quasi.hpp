#pragma once
// What `muster check --quasi` says about a history.

#include <map>
#include <string>

#include "cli/check_options.hpp"
#include "finding/finding.hpp"
#include "judge/quasi/quasi.hpp"

namespace muster::cli {

/// How many histories needed which factor.
struct FactorCounts {
  std::map<unsigned, std::size_t> histories;  ///< by their smallest factor
  std::size_t unexplained = 0;                ///< by any factor
  std::size_t unknown = 0;                    ///< limits were hit

  /// "0: 27, 1: 14, none: 1".
  std::string to_text() const;
};

/// Adds to `counts`, too.
Result judge_quasi(const History& history, const SpecPtr& spec, const CheckOptions& options, FactorCounts& counts);

}  // namespace muster::cli
