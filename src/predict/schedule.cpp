#include "predict/schedule.hpp"

#include <algorithm>

#include "predict/prefix.hpp"
#include "predict/wide_search.hpp"

namespace muster::predict {

std::vector<std::uint32_t> Scheduler::limits(const Prediction& prediction, const PairSchedule& pair) const {
  std::vector<std::uint32_t> result(index_.thread_count());
  for (const Turn& turn : pair.turns) {
    const std::uint32_t segment = segments_.segment_at(turn.thread, turn.events - 1);
    for (std::uint32_t other = 0; other < result.size(); ++other)
      result[other] = std::max(result[other], events_over(index_, segments_, other,
                                                          segments_.completed_before(turn.thread, segment, other)));
  }
  for (std::uint32_t other = 0; other < result.size(); ++other)
    result[other] = extend_to_free(index_, other, result[other]);
  result[prediction.thread] = pair.thread_start;
  result[prediction.other] = pair.other_start;
  return result;
}

std::optional<std::vector<Turn>> Scheduler::schedule(const Prediction& prediction) {
  const PairSchedule pair = search_.search(prediction);
  if (pair.answer != Answer::yes) return std::nullopt;
  Prefix prefix(index_, segments_, limits(prediction, pair));
  const bool complete = prefix.run();
  const std::vector<std::uint32_t> executed = prefix.executed(), limits = prefix.limits();
  const std::vector<Turn> first = std::move(prefix).turns();
  if (complete) {
    auto turns = join_turns(first, pair.turns);
    if (!find_illegal_step(turns, prediction, index_)) return turns;
  }
  // Other threads are in the way, or have to act in the middle: search with them, from here, then from the beginning.
  WideSearch wide(index_, segments_);
  for (const bool from_start : {false, true}) {
    const std::vector<std::uint32_t> nothing(limits.size());
    const auto rest = wide.search(prediction, from_start ? nothing : executed, limits);
    if (!rest) continue;
    auto turns = join_turns(from_start ? std::vector<Turn>{} : first, *rest);
    if (!find_illegal_step(turns, prediction, index_)) return turns;
  }
  return std::nullopt;
}

}  // namespace muster::predict
