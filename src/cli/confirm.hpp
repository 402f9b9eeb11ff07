#pragma once
// Has a program re-execute the plans of predictions, and gathers how each went.

#include <string>
#include <vector>

#include "predict/predict.hpp"

namespace muster::cli {

/// How the re-execution of one plan ended; `word` is empty if there was none.
struct Reexecution {
  std::string word;                // confirmed, diverged, deadlocked
  std::string reason;              // why it is not confirmed
  std::string saved;               // where what it showed can be replayed from; empty if it showed nothing wrong
  std::vector<std::string> other;  // what else there is to say of it
};

/// One for each group and deadlock, as far as there are.
struct Reexecutions {
  std::vector<Reexecution> groups, deadlocks;

  bool show_anything() const;
};

/// `about` is what the recording says of itself.
Reexecutions confirm(const predict::Report& report, const std::string& program, const std::string& about);

}  // namespace muster::cli
