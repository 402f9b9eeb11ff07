#pragma once
// A schedule is certified if every read that happens in it before the access between sees the same write as in the
// trace: then, as far as the recorded memory goes, each thread does what it did, and the schedule can really happen.

#include <array>
#include <optional>
#include <vector>

#include "predict/pair_search.hpp"
#include "trace/trace_reader.hpp"

namespace muster::predict {

struct Candidate {
  std::vector<Turn> turns;
  std::optional<Prediction> prediction;  // nothing: a deadlock, which comes after all of the turns
};

struct Certificate {
  bool certified = false;
  /// The how-manieth reads, or writes, of their threads at their places the three accesses are.
  std::array<std::uint32_t, 3> nth{};
};

/// For each candidate. Reads the trace once, up to the last event that any of them needs.
std::vector<Certificate> certify(trace::TraceReader& reader, const std::vector<Candidate>& candidates);

}  // namespace muster::predict
