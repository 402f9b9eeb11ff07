#pragma once
// `muster check` on many files: each is judged by some rank.

#include <functional>
#include <optional>

#include "base/error.hpp"
#include "distribute/distribution.hpp"

namespace muster {

/// Nothing if that is not what was asked for.
std::optional<ExitCode> check_files(Crew& crew, const DistributeOptions& options,
                                    const std::function<bool()>& interrupted);

}  // namespace muster
