#pragma once
// From a trace to a report: what other orders of this run would show, and what the run itself showed.
//
//   auto reader = trace::open_trace("bank.std");
//   const Report report = predict(*reader, {.plans = 10});

#include <optional>
#include <string>
#include <vector>

#include "base/meter.hpp"
#include "base/plan.hpp"
#include "predict/deadlocks.hpp"
#include "predict/matcher.hpp"
#include "predict/races.hpp"
#include "predict/serializability.hpp"
#include "trace/trace_reader.hpp"

namespace muster::predict {

struct GradedGroup {
  PredictionGroup group;
  Grade grade = Grade::unscheduled;
  std::optional<Prediction> scheduled;  // the example the plan is for
  std::optional<Plan> plan;
};

struct PredictOptions {
  Transactions transactions = Transactions::marked;
  std::size_t plans = 0;     // groups to schedule and grade, worst first
  std::size_t examples = 4;  // predictions kept of each group
  bool every = false;        // a group for each prediction, not for each three source locations
  bool observed = true;      // also check the run itself: serializability and races
  Meter* meter = nullptr;    // told how many events were read, and asked whether to stop
};

struct Report {
  std::uint64_t events = 0, transactions = 0;
  std::uint32_t threads = 0, variables = 0, locks = 0;

  std::vector<GradedGroup> groups;  // worst first; among those graded, certified ones come first
  std::uint64_t write_read_write = 0, access_write_access = 0;  // (thread, other thread, variable)
  std::uint64_t rejected = 0, undecided = 0;
  Deadlocks deadlocks;

  std::vector<Violation> violations;
  std::uint64_t violation_count = 0;
  std::vector<Race> races;

  bool coarsened = false;  // locks were released out of order, see LockStack
  bool thinned = false;    // too many different witnesses or segments to keep all
  std::optional<std::string>
      stopped;  // the error behind which nothing was read; the report is about what stands before
};

Report predict(trace::TraceReader& reader, const PredictOptions& options = {});

}  // namespace muster::predict
