#pragma once
// Has a program re-execute the plans of predictions, and gathers how each went.

#include <string>
#include <vector>

#include "predict/predict.hpp"

namespace muster::cli {

/// How the re-execution of one plan ended; `word` is empty if there was none.
struct Reexecution {
  std::string word;                // confirmed, diverged, deadlocked
  std::string detail;              // what was saved, or the reason
  std::vector<std::string> other;  // what else went wrong in a confirmed execution
};

/// One outcome for each group; `about` is what the recording says of itself.
std::vector<Reexecution> confirm(const predict::Report& report, const std::string& program, const std::string& about);

}  // namespace muster::cli
