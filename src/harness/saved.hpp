#pragma once
// Failures on disk: what is needed to run one again, and to know whether the program is still the same.

#include <optional>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "harness/options.hpp"

namespace muster {

struct SavedFailure {
  std::string id;       // "queue-1"
  std::string subject;
  std::string kind;
  std::string schedule;
  std::string test;     // of a check
  std::string sentence; // what went wrong
  std::string heap;
  unsigned spurious_failures = 0;
  bool races = true;     // are told
  bool planned = false;  // the schedule came from following a plan
  bool serial = false;   // the schedule is of a serial execution
  std::string against, quasi, spec;    // of a check: what it was judged by, if other than what the check says
  bool classic = false;
  std::vector<std::string> arguments;  // of an ordinary main
  std::vector<std::string> racy_sites;
  std::vector<std::string> shown_sites;  // of a prediction: the accesses that it is about
  std::string build;    // fingerprint of the program that failed
};

/// A fingerprint of the running program's file.
std::string build_fingerprint();

/// Writes `folder/SUBJECT-n`, n being the first number that is free or holds the same failure. Gives back the path.
std::string save(const Finding& finding, const HarnessOptions& options);

/// Runs as it was saved.
void adopt(HarnessOptions& options, const SavedFailure& saved);

/// By its name, "queue-1", or by its path.
SavedFailure load_saved(const std::string& folder, const std::string& id);
std::vector<SavedFailure> saved_failures_of(const std::string& folder, const std::string& subject);

std::string_view name(HeapPolicy policy);
HeapPolicy parse_heap_policy(const std::string& text);

}  // namespace muster
