#pragma once
// A run of a test program that was stopped, on disk: what is finished, and how far the rest got.

#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "harness/options/check_progress.hpp"
#include "harness/options/options.hpp"

namespace muster {

struct ProgramCheckpoint {
  std::vector<std::string> finished;    // scenarios and checks
  std::string subject;                  // the one in the middle; empty if none is
  BegunSearch search;                   // of a scenario
  std::vector<std::string> racy_sites;  // of a scenario, as "module+0x12"
  CheckProgress check;                  // of a check
  std::string division;                 // "7 100 ID": part 7 of a search that was divided; else empty
};

/// "part 7 of 100".
std::string part_name(const std::string& division);

/// Whether its search met something that those of the other parts did not know.
bool has_learned(const ProgramCheckpoint& checkpoint);

/// What a part came to: what is left of it, and what it found.
struct PartResult {
  const char* outcome;
  Report report;
};

/// Everything that a search's way through the tree depends on: a checkpoint fits only where it is the same.
std::string search_settings(const HarnessOptions& options);

/// Of a part with its result.
void save_checkpoint(const std::string& path, const ProgramCheckpoint& checkpoint, const HarnessOptions& options,
                     const PartResult* result = nullptr);

/// Throws Error if it is of another build or other settings.
ProgramCheckpoint load_checkpoint(const std::string& path, const HarnessOptions& options);

}  // namespace muster
