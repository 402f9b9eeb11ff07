#pragma once
// A schedule is certified if every read that happens in it before the access between sees the same write as in the
// trace: then, as far as the recorded memory goes, each thread does what it did, and the schedule can really happen.

#include <vector>

#include "predict/pair_search.hpp"
#include "trace/trace_reader.hpp"

namespace muster::predict {

struct Candidate {
  Prediction prediction;
  std::vector<Turn> turns;
};

/// For each candidate whether it is certified. Reads the trace once, up to the last event that any of them needs.
std::vector<bool> certify(trace::TraceReader& reader, const std::vector<Candidate>& candidates);

}  // namespace muster::predict
