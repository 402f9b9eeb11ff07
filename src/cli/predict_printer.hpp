#pragma once
// Tells on a terminal what a trace shows and predicts.

#include <string>

#include "cli/confirm.hpp"
#include "predict/predict.hpp"

namespace muster::cli {

struct PredictPrinting {
  std::string file;     // of the trace
  std::string program;  // that re-executed
  std::size_t limit;    // how many of each kind
};

void print_predictions(const predict::Report& report, const trace::TraceReader& names, const PredictPrinting& how,
                       const Reexecutions& outcomes);

}  // namespace muster::cli
