#pragma once
// Turns that were found for a prediction, as a plan: by the names of threads, and with the places of events.

#include <array>

#include "predict/deadlocks.hpp"
#include "predict/pair_search.hpp"
#include "trace/trace_reader.hpp"

namespace muster::predict {

/// `nth`: the how-manieth accesses of their threads at their places the three are, as far as that is known.
Plan make_plan(const std::vector<Turn>& turns, const Prediction& prediction, const std::array<std::uint32_t, 3>& nth,
               const SyncIndex& index, const trace::TraceReader& names);

Plan make_plan(const std::vector<Turn>& turns, const Cycle& cycle, const SyncIndex& index,
               const trace::TraceReader& names);

}  // namespace muster::predict
