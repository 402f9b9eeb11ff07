#pragma once
// Phase II of meta-analysis (CAV 2009, section 4): every pair of accesses of one thread against every access of another
// to the same variable. Works on profiles alone, so its cost does not depend on the length of the trace.
//
// If no lock order has a cycle, the run cannot deadlock, and locks held through the pair that do not exclude those at
// the access between are enough. Otherwise acquisition histories would have to be compatible too, and even then the
// last access may be out of reach; instead of comparing them, each such case is decided by PairSearch, except where one
// side holds no lock at all: that side can wait while the other runs on until it holds none either.

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <vector>

#include "predict/pair_search.hpp"
#include "predict/profile.hpp"

namespace muster::predict {

/// Predictions that share their three source locations.
struct PredictionGroup {
  Pattern pattern;
  std::uint32_t first_site, between_site, last_site;
  std::uint64_t count = 0;           // (thread, other thread, variable)
  std::vector<Prediction> examples;  // the first of them, at most `MatchOptions::examples`
};

struct MatchOptions {
  std::size_t examples = 4;
  bool may_deadlock = false;  // from the lock order
};

struct Matches {
  std::vector<PredictionGroup> groups;  // worst first
  std::uint64_t write_read_write = 0;   // different (thread, other thread, variable)
  std::uint64_t access_write_access = 0;
  std::uint64_t rejected = 0;   // passed the test for locks held through, failed the exact one
  std::uint64_t undecided = 0;  // the exact test reached its limit; not reported
};

Matches match(const Profiler& profiler, PairSearch& search, const MatchOptions& options);

}  // namespace muster::predict
