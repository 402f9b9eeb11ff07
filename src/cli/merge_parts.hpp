#pragma once
// What `muster merge` does with parts of a search that was divided.

#include <string>
#include <vector>

#include "base/error.hpp"

namespace muster::cli {

struct PartsToMerge {
  std::vector<std::string> files;
  std::string rest;  // the file to write: what is left
  bool quiet = false;
};

ExitCode merge_parts(const PartsToMerge& parts);

}  // namespace muster::cli
