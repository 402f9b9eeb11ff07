#pragma once
// What a trace shows and predicts, as a result that reports can draw.

#include "finding/finding.hpp"
#include "predict/predict.hpp"

namespace muster::cli {

/// At most `limit` of each kind. `grades` says of predictions, from the first on, what re-executing them gave; empty
/// where the grade of the prediction itself is all there is.
Result to_result(const predict::Report& report, const trace::TraceReader& names, const std::string& file,
                 std::size_t limit, const std::vector<std::string>& grades = {});

}  // namespace muster::cli
