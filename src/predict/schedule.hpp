#pragma once
// A concrete interleaving for a prediction: all that has to happen first, then the two threads turn by turn until the
// access between stands between the other two.

#include <optional>
#include <string>
#include <vector>

#include "base/plan.hpp"
#include "predict/pair_search.hpp"
#include "trace/trace_reader.hpp"

namespace muster::predict {

class Scheduler {
 public:
  Scheduler(const SyncIndex& index, const Segments& segments, PairSearch& search)
      : index_(index), segments_(segments), search_(search) {}

  /// The turns, from the start of the run to the last access, checked legal; nothing if no order was found.
  std::optional<std::vector<Turn>> schedule(const Prediction& prediction);

 private:
  std::vector<std::uint32_t> limits(const Prediction& prediction, const PairSchedule& pair) const;

  const SyncIndex& index_;
  const Segments& segments_;
  PairSearch& search_;
};

/// Why the turns cannot happen in this order, or do not show the prediction; nothing if they can and do. Knows nothing
/// of how the turns were found: it replays them against locks, forks, joins and signals.
std::optional<std::string> find_illegal_step(const std::vector<Turn>& turns, const Prediction& prediction,
                                             const SyncIndex& index);

}  // namespace muster::predict
