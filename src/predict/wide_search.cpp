#include "predict/wide_search.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Kind;

std::optional<std::vector<Turn>> WideSearch::search(const Prediction& prediction,
                                                    const std::vector<std::uint32_t>& executed,
                                                    const std::vector<std::uint32_t>& limits) {
  prediction_ = prediction;
  first_ = index_.position(prediction.thread, prediction.first.index);
  last_ = index_.position(prediction.thread, prediction.last.index);
  between_ = index_.position(prediction.other, prediction.between.index);
  windows_.begin(limits.size());
  State start;
  for (std::uint32_t thread = 0; thread < limits.size(); ++thread) {
    start.push_back(index_.position(thread, executed[thread]));
    windows_.set(thread, start.back(), stop(thread, limits[thread]));
  }
  start.push_back(false);
  seen_ = {start};
  turns_.clear();
  if (!walk(start, prediction.other)) return std::nullopt;
  return turns_;
}

std::uint32_t WideSearch::stop(std::uint32_t thread, std::uint32_t limit) const {
  if (thread == prediction_.thread) return last_;
  if (thread != prediction_.other) return index_.position(thread, limit);
  const auto events = index_.events(thread);
  std::uint32_t stop = between_;
  while (stop > 0 && stop < events.size() && events[stop - 1].held > 0) ++stop;
  return stop;
}

/// Within the windows, and without ending a thread that the pattern still needs.
bool WideSearch::can_step(const State& state, std::uint32_t thread) const {
  if (!windows_.can_step(state, thread)) return false;
  const SyncEvent& event = index_.events(thread)[state[thread]];
  const bool ends_pattern = event.object == prediction_.thread || (event.object == prediction_.other && !state.back());
  return event.kind != Kind::join || !ends_pattern;
}

bool WideSearch::try_move(const State& state, std::uint32_t thread) {
  if (thread == prediction_.other && !state.back() && state[thread] >= between_) return false;
  if (!can_step(state, thread)) return false;
  State next = state;
  const std::size_t before = turns_.size();
  windows_.step(next, thread, turns_);
  if (seen_.insert(next).second && walk(next, thread)) return true;
  turns_.resize(before);
  return false;
}

bool WideSearch::try_pass(const State& state) {
  if (state.back() || state[prediction_.other] != between_ || state[prediction_.thread] < first_) return false;
  if (!windows_.order_allows(state, prediction_.other, prediction_.between.index)) return false;
  if (!windows_.order_allows(state, prediction_.thread, prediction_.first.index)) return false;
  State next = state;
  next.back() = true;
  if (state[prediction_.thread] == first_) turns_.push_back({prediction_.thread, prediction_.first.index + 1});
  turns_.push_back({prediction_.other, prediction_.between.index + 1});
  if (seen_.insert(next).second && walk(next, prediction_.thread)) return true;
  turns_.pop_back();
  if (state[prediction_.thread] == first_) turns_.pop_back();
  return false;
}

bool WideSearch::walk(const State& state, std::uint32_t last_moved) {
  if (state.back() && state[prediction_.thread] == last_) {
    turns_.push_back({prediction_.thread, prediction_.last.index + 1});
    return true;
  }
  if (seen_.size() >= most_states_) return false;
  if (try_pass(state) || try_move(state, last_moved)) return true;
  for (std::uint32_t thread = 0; thread < windows_.thread_count(); ++thread)
    if (thread != last_moved && try_move(state, thread)) return true;
  return false;
}

}  // namespace muster::predict
