#pragma once
// Calls as whoever writes a log knows them, and whether some order of them explains their answers: every order and
// every choice of pending calls is tried, on a model that shares nothing with the specs.
//
// A model is a small class with copy, `draw(rng)`, which gives a call to make, `perform(call)`, which gives the answer
// or nothing where the call cannot happen now, and `wrong_answer(rng, call)`, another answer of the kind.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "history/value.hpp"

namespace muster::test {

struct LoggedCall {
  std::string name;
  std::vector<Value> arguments;
  Value result = {};  ///< `none`: it gives nothing back, or that was not recorded
  Value key = {};     ///< of the object, where the log has several
  std::int64_t start = 0, end = 0, point = 0;
  std::int64_t process = 0;
  bool pending = false;
  bool failed = false;  ///< recorded as failed, so that it did not happen
  bool left_out = false;
};

using LoggedCalls = std::vector<LoggedCall>;

/// When the end of one call is before the start of another.
enum class Touching { overlap, precede };

/// With clocks that differ by up to `skew`, and at equal times by the rule.
inline bool is_before(const LoggedCall& a, const LoggedCall& b, Touching touching, std::int64_t skew = 0) {
  if (a.pending) return false;
  if (a.end + skew < b.start) return true;
  // What takes no time at all overlaps everything that happens at that time.
  return touching == Touching::precede && skew == 0 && a.end == b.start && a.start < a.end;
}

template <class Model>
class EveryOrder {
 public:
  EveryOrder(const LoggedCalls& calls, Touching touching, std::int64_t skew)
      : calls_(calls), touching_(touching), skew_(skew), placed_(calls.size()) {}

  bool explain(const Model& object) {
    if (all_returned_are_placed()) return true;
    for (std::size_t at = 0; at < calls_.size(); ++at) {
      if (!may_come_next(at)) continue;
      Model changed = object;
      const std::optional<Value> answer = changed.perform(calls_[at]);
      if (!answer || !Model::fits(*answer, calls_[at])) continue;
      placed_[at] = true;
      if (explain(changed)) return true;
      placed_[at] = false;
    }
    return false;
  }

 private:
  bool all_returned_are_placed() const {
    for (std::size_t at = 0; at < calls_.size(); ++at) {
      if (!placed_[at] && !calls_[at].pending) return false;
    }
    return true;
  }

  bool may_come_next(std::size_t at) const {
    if (placed_[at]) return false;
    for (std::size_t other = 0; other < calls_.size(); ++other) {
      if (other != at && !placed_[other] && is_before(calls_[other], calls_[at], touching_, skew_)) return false;
    }
    return true;
  }

  const LoggedCalls& calls_;
  Touching touching_;
  std::int64_t skew_;
  std::vector<bool> placed_;
};

template <class Model>
bool is_explained(const LoggedCalls& calls, const Model& object, Touching touching, std::int64_t skew = 0) {
  return EveryOrder<Model>(calls, touching, skew).explain(object);
}

/// Calls to one object, with the answers that it gives when each takes effect at a point of its own; then some answers
/// are changed, some are not recorded, some calls never return, and clocks differ.
template <class Model>
LoggedCalls random_calls(Rng& rng, Model object, std::size_t count) {
  const unsigned pending = rng.chance(1, 2) ? 0 : 20, changed = rng.chance(1, 2) ? 0 : 20;
  const std::uint64_t width = rng.chance(1, 3) ? 12 : 4, clocks = rng.chance(2, 3) ? 1 : 8;
  LoggedCalls calls;
  for (std::size_t i = 0; i < count; ++i) {
    LoggedCall call = object.draw(rng);
    call.start = static_cast<std::int64_t>(i * 3 + rng.below(5));
    call.end = call.start + static_cast<std::int64_t>(rng.below(width));
    call.point =
        call.start + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(call.end - call.start) + 1));
    call.pending = rng.chance(pending, 100);
    calls.push_back(std::move(call));
  }
  std::ranges::stable_sort(calls, {}, &LoggedCall::point);
  for (LoggedCall& call : calls) {
    if (call.pending && rng.chance(1, 2)) continue;  // it did not happen
    const std::optional<Value> answer = object.perform(call);
    // Most calls that would have to wait are left out; some stay, and fail.
    call.left_out = !answer && !call.pending && rng.chance(4, 5);
    if (answer && !call.pending) call.result = *answer;
    if (!call.result.is_none() && rng.chance(changed, 100)) call.result = object.wrong_answer(rng, call);
    if (!call.result.is_none() && rng.chance(1, 20)) call.result = Value();
  }
  std::erase_if(calls, [](const LoggedCall& call) { return call.left_out; });
  for (LoggedCall& call : calls) {
    const auto shift = static_cast<std::int64_t>(rng.below(clocks));
    call.start += shift;
    call.end += shift;
  }
  std::ranges::stable_sort(calls, {}, &LoggedCall::start);
  return calls;
}

/// A process makes one call after the other; one that never comes back makes no more.
inline void give_processes(LoggedCalls& calls) {
  std::vector<std::int64_t> free_from;
  for (LoggedCall& call : calls) {
    std::size_t process = 0;
    while (process < free_from.size() && free_from[process] >= call.start) ++process;
    if (process == free_from.size()) free_from.push_back(0);
    free_from[process] = call.pending ? std::int64_t{1} << 60 : call.end;
    call.process = static_cast<std::int64_t>(process);
  }
}

}  // namespace muster::test
