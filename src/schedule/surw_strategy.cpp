#include "schedule/surw_strategy.hpp"

#include <algorithm>
#include <vector>

namespace muster {

void SurwStrategy::prepare() {
  made_.clear();
  made_of_all_ = {};
  started_ = 1;
  next_ = no_thread;
  object_ = 0;
  std::vector<ObjectId> shared;
  for (const auto& [object, counts] : most_) {
    if (std::ranges::count_if(counts, [](std::uint32_t count) { return count > 0; }) > 1) shared.push_back(object);
  }
  constexpr unsigned objects_for_all = 4;  // all events matter once in so many executions
  all_ = most_threads_ > 0 && (shared.empty() || rng().chance(1, objects_for_all));
  if (!all_ && !shared.empty()) object_ = shared[rng().below(shared.size())];
  left_ = all_ ? most_of_all_ : object_ != 0 ? most_[object_] : Counts{};
}

void SurwStrategy::executed(const Event& event) {
  ++made_of_all_[event.thread];
  if (event.object != 0) ++made_[event.object][event.thread];
  if (!matters(event)) return;
  if (left_[event.thread] > 0) --left_[event.thread];
  next_ = no_thread;
}

void SurwStrategy::end_execution(const Schedule&, Ending) {
  const auto take_more = [](Counts& most, const Counts& made) {
    for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], made[i]);
  };
  constexpr std::size_t most_objects = 4096;  // those of the heap may differ from execution to execution
  if (most_.size() > most_objects) most_.clear();
  for (const auto& [object, counts] : made_) take_more(most_[object], counts);
  take_more(most_of_all_, made_of_all_);
  most_threads_ = std::max(most_threads_, started_);
}

/// The events that a thread has left, and those of the threads that it has yet to start.
std::uint64_t SurwStrategy::weight(ThreadId thread) const {
  std::uint64_t sum = left_[thread];
  for (unsigned child = started_; child < most_threads_; ++child) {
    if (parents_[child] == thread) sum += weight(static_cast<ThreadId>(child));
  }
  return sum;
}

ThreadId SurwStrategy::draw_next(std::span<const Option> threads) {
  std::array<std::uint64_t, max_threads> weights;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) sum += weights[i] = std::max<std::uint64_t>(1, weight(threads[i]));
  std::uint64_t drawn = rng().below(sum);
  std::size_t i = 0;
  while (drawn >= weights[i]) drawn -= weights[i++];
  return threads[i];
}

/// Whoever ran when a thread was first seen has started it.
void SurwStrategy::notice_threads(const Point& point) {
  for (const Option thread : point.options) {
    for (; started_ <= thread; ++started_) parents_[started_] = point.running;
  }
}

std::uint8_t SurwStrategy::pick(const Point& point) {
  notice_threads(point);
  const auto waits = [&](Option thread) { return thread != next_ && matters(point.next[thread]); };
  // The one that was drawn may be blocked: then another one's event comes next.
  if (next_ == no_thread || std::ranges::all_of(point.options, waits)) next_ = draw_next(point.options);
  std::array<std::uint8_t, max_threads> free;
  std::size_t count = 0;
  for (std::size_t i = 0; i < point.options.size(); ++i) {
    if (!waits(point.options[i])) free[count++] = static_cast<std::uint8_t>(i);
  }
  return count > 0 ? free[rng().below(count)] : static_cast<std::uint8_t>(rng().below(point.options.size()));
}

}  // namespace muster
