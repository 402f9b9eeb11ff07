#include "reduction/without_retry.hpp"

#include <algorithm>

#include "schedule/strategy.hpp"

namespace muster {
namespace {

/// The transition before `end` in which a thread made a read; -1: none.
std::int64_t transition_of(const CausalOrder& order, ThreadId thread, const SeenValue& read, std::int64_t end) {
  for (std::int64_t i = end - 1; i >= 0; --i) {
    const auto transition = static_cast<TransitionIndex>(i);
    if (order.thread(transition) != thread) continue;
    const auto accesses = order.accesses(transition);
    const Access wanted{.object = read.object};
    if (std::any_of(accesses.begin(), accesses.end(), [&](const Access& a) { return a.overlaps(wanted); })) return i;
  }
  return -1;
}

/// Under symmetry a debut is a transition of its own, even if it is the first thing that its thread does.
bool only_starts(const CausalOrder& order, TransitionIndex start) {
  const ThreadId thread = order.thread(start);
  if (order.accesses(start).size() != 1 || order.accesses(start).front().object != objects::thread(thread))
    return false;
  for (TransitionIndex i = start + 1; i < order.size(); ++i) {
    if (order.thread(i) != thread) continue;
    const auto accesses = order.accesses(i);
    return std::any_of(accesses.begin(), accesses.end(),
                       [](const Access& a) { return a.blocking && objects::is_debut(a.object); });
  }
  return false;
}

}  // namespace

WithoutRetry::WithoutRetry(const CausalOrder& order, const Arrival& arrival) {
  const ThreadId thread = thread_ = order.thread(order.size() - 1);
  std::int64_t at = order.size(), first_kept = at;
  for (std::size_t i = arrival.reads.size(); i-- > 0 && at >= 0;) {
    if (!arrival.reads[i].visible) continue;
    at = transition_of(order, thread, arrival.reads[i], at);
    if (i >= arrival.earlier) first_kept = at;
  }
  possible_ = at >= 0;
  for (TransitionIndex i = 0; i < order.size(); ++i) {
    if (only_starts(order, i)) continue;
    if (order.thread(i) != thread || i < at || i >= first_kept)
      steps_.push_back({order.thread(i), i, {}, 0});
    else
      left_out_.push_back(i);
  }
}

TransitionIndex WithoutRetry::in_common() const {
  TransitionIndex made = 0;
  while (made < steps_.size() && steps_[made].original == made) ++made;
  return made;
}

/// What a transition was told that is left out, it was told before the attempt began: the next one of its thread begins
/// there now.
void WithoutRetry::told(TransitionIndex transition, std::uint8_t value) {
  const auto step = std::find_if(steps_.begin(), steps_.end(), [&](const Step& s) {
    return s.original == transition || (s.original > transition && s.thread == thread_ && left_out(transition));
  });
  if (step != steps_.end()) step->values.push_back(value);
}

void WithoutRetry::took(std::span<const MessageName> messages) {
  for (Step& step : steps_) step.message = messages[step.original];
}

bool WithoutRetry::begin_transition(ThreadId thread) {
  told_ = 0;
  return made_ < steps_.size() && steps_[made_++].thread == thread;
}

std::uint8_t WithoutRetry::decide(const Point& point) {
  if (point.kind == PointKind::retry) return 0;
  if (point.kind == PointKind::message) {
    const MessageName wanted = made_ > 0 ? steps_[made_ - 1].message : 0;
    for (std::uint8_t i = 0; i < point.options.size(); ++i) {
      if (point.messages[i] == wanted) return i;
    }
    return Strategy::abandon;
  }
  if (point.kind != PointKind::thread) {
    const auto& values = made_ > 0 ? steps_[made_ - 1].values : steps_.front().values;
    return told_ < values.size() ? values[told_++] : Strategy::abandon;
  }
  if (made_ == steps_.size()) return Strategy::abandon;
  const auto chosen = std::find(point.options.begin(), point.options.end(), Option{steps_[made_].thread});
  return chosen == point.options.end() ? Strategy::abandon : static_cast<std::uint8_t>(chosen - point.options.begin());
}

}  // namespace muster
