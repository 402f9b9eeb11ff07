#pragma once
// What a trace shows and predicts, as a result that reports can draw.

#include "cli/confirm.hpp"
#include "finding/finding.hpp"
#include "predict/predict.hpp"

namespace muster::cli {

/// At most `limit` of each kind, with what re-executing them gave.
Result to_result(const predict::Report& report, const trace::TraceReader& names, const std::string& file,
                 std::size_t limit, const Reexecutions& outcomes);

}  // namespace muster::cli
