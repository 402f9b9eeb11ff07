#include "check/class_recorder.hpp"

#include <algorithm>
#include <bit>

namespace muster {
namespace {

/// The transitions of each thread, by number.
std::vector<std::vector<TransitionIndex>> by_thread(const CausalOrder& order) {
  std::vector<std::vector<TransitionIndex>> result;
  for (TransitionIndex i = 0; i < order.size(); ++i) {
    if (result.size() <= order.thread(i)) result.resize(order.thread(i) + 1u);
    result[order.thread(i)].push_back(i);
  }
  return result;
}

}  // namespace

ClassRecorder::ClassRecorder(const Test& test, const ReductionStrategy& strategy)
    : test_(test), strategy_(strategy), list_(operations_of(test)), operations_(list_.size()) {}

void ClassRecorder::call(ThreadId thread, unsigned operation, bool thread_starts) {
  operations_[operation] = {thread, static_cast<std::int64_t>(strategy_.transition()) + (thread_starts ? 0 : 1), -1};
}

void ClassRecorder::ret(unsigned operation) { operations_[operation].end = strategy_.transition(); }

std::int64_t ClassRecorder::first_transition(const Span& span) const {
  const CausalOrder& order = strategy_.order();
  for (auto i = static_cast<TransitionIndex>(span.begin); i < order.size(); ++i) {
    if (order.thread(i) == span.thread) return i;
  }
  return -1;
}

/// Whether the beginning of `a` happened before the end of `b`.
bool ClassRecorder::happens_before(const Span& a, const Span& b) const {
  const std::int64_t first = first_transition(a);
  return first >= 0 && b.end >= first &&
         strategy_.order().before(static_cast<TransitionIndex>(first), static_cast<TransitionIndex>(b.end));
}

HistoryClass ClassRecorder::made_of(std::uint64_t called, std::uint64_t returned, const Recorded& history) const {
  HistoryClass made;
  made.size = history.size;
  made.called = called;
  made.returned = returned;
  for (std::uint64_t mask = called; mask; mask &= mask - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(mask));
    made.response[i] = returned & bit_of(i) ? history.response[i] : pending;
    for (std::uint64_t others = called; others; others &= others - 1) {
      const auto j = static_cast<unsigned>(std::countr_zero(others));
      if (i == j) continue;
      const bool same = list_[i].column == list_[j].column;
      const bool apart = list_[i].column < 0 || list_[j].column < 0;  // the initial and the final sequence run alone
      if (j < i && (same || apart)) made.always_before[i] |= bit_of(j);
      const bool begun =
          operations_[i].thread == operations_[j].thread ? j < i : happens_before(operations_[j], operations_[i]);
      if ((returned & bit_of(i)) && begun) made.begun_before_end[i] |= bit_of(j);
    }
  }
  return made;
}

HistoryClass ClassRecorder::whole(const Recorded& history) const {
  return made_of(history.called, history.returned, history);
}

namespace {

/// One execution, cut where each thread is between operations or before something it waits for.
class Cutter {
 public:
  explicit Cutter(const CausalOrder& order) : order_(order), transitions_(by_thread(order)) {}

  const std::vector<std::vector<TransitionIndex>>& transitions() const { return transitions_; }
  std::uint32_t ordinal(TransitionIndex i) const {
    const auto& list = transitions_[order_.thread(i)];
    return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), i) - list.begin());
  }
  bool inside(TransitionIndex i, const std::vector<std::uint32_t>& cut) const {
    return ordinal(i) < cut[order_.thread(i)];
  }

  /// Whether nothing that `thread` and those with smaller numbers did in the cut happened after something that one of
  /// them did outside.
  bool closed_up_to(std::size_t thread, const std::vector<std::uint32_t>& cut) const {
    const auto leaves_out = [&](std::size_t u, std::size_t t) {
      return cut[t] > 0 && cut[u] < transitions_[u].size() &&
             order_.before(transitions_[u][cut[u]], transitions_[t][cut[t] - 1]);
    };
    for (std::size_t u = 0; u < thread; ++u) {
      if (leaves_out(u, thread) || leaves_out(thread, u)) return false;
    }
    return true;
  }

  /// Whether a thread whose next transition waits for something cannot make it at the cut.
  bool blocked(TransitionIndex next, const std::vector<std::uint32_t>& cut) const {
    for (const Access& access : order_.accesses(next)) {
      if (!access.blocking) continue;
      if (access.object >= objects::wake_up(0) && access.object <= objects::wake_up(max_threads)) {
        if (!woken(access, next, cut)) return true;
      } else if (access.mode != AccessMode::read && taken(access, cut)) {
        return true;
      }
    }
    return false;
  }

  /// Whether a thread that never gets what it waits for waits already at the cut.
  bool blocked_at_end(ThreadId thread, std::span<const ReductionStrategy::Waiting> waiting,
                      const std::vector<std::uint32_t>& cut) const {
    return std::all_of(waiting.begin(), waiting.end(),
                       [&](const auto& w) { return w.thread != thread || taken(w.access, cut); });
  }

 private:
  bool woken(const Access& wake, TransitionIndex next, const std::vector<std::uint32_t>& cut) const {
    const auto& own = transitions_[order_.thread(next)];
    const std::uint32_t before = ordinal(next);
    for (TransitionIndex i = before > 0 ? own[before - 1] : 0; i < next; ++i) {
      for (const Access& access : order_.accesses(i)) {
        if (access.object == wake.object && access.enabling && inside(i, cut)) return true;
      }
    }
    return false;
  }
  /// Whether at the cut others have what is wanted: a lock that somebody holds, or shares, or the last one of several.
  bool taken(const Access& wanted, const std::vector<std::uint32_t>& cut) const {
    bool held = false;
    int sharers = 0, left = 1;
    for (TransitionIndex i = 0; i < order_.size(); ++i) {
      if (!inside(i, cut)) continue;
      for (const Access& access : order_.accesses(i)) {
        if (access.object != wanted.object) continue;
        if (access.mode == AccessMode::write) held = !access.enabling;
        if (access.mode == AccessMode::commute) sharers += access.enabling ? -1 : 1;
        if (access.left >= 0) left = access.left;
      }
    }
    if (wanted.counted) return left == 0;
    return held || (wanted.mode == AccessMode::write && sharers > 0);
  }

  const CausalOrder& order_;
  std::vector<std::vector<TransitionIndex>> transitions_;
};

}  // namespace

void ClassRecorder::each_stuck_cut(const Recorded& history,
                                   const std::function<void(const HistoryClass&, const Cut&)>& tell) const {
  const CausalOrder& order = strategy_.order();
  const Cutter cutter(order);
  const auto& transitions = cutter.transitions();
  if (transitions.size() != 1 + test_.columns.size()) return;  // threads of the object's own go on between operations
  // Where each thread may be: the number of its transitions made, the operation that is pending then, and how many are
  // done.
  struct Place {
    std::uint32_t made;
    int pending;
    std::uint64_t done;
  };
  std::vector<std::vector<Place>> places(transitions.size());
  bool some_wait = false;
  std::uint64_t initial = 0;
  for (unsigned i = 0; i < list_.size(); ++i) {
    if (list_[i].column < 0 && operations_[i].thread != no_thread && i < test_.first.size()) initial |= bit_of(i);
  }
  std::uint32_t spawned = 0;  // transitions of thread 0 up to the last spawn
  for (std::uint32_t k = 0; k < transitions[0].size(); ++k) {
    for (const Access& access : order.accesses(transitions[0][k]))
      spawned = access.object == objects::thread_ids ? k + 1 : spawned;
  }
  places[0].push_back({spawned, -1, initial});
  for (std::size_t t = 1; t < transitions.size(); ++t) {
    places[t].push_back({0, -1, 0});
    std::uint64_t done = 0;
    for (unsigned i = 0; i < list_.size(); ++i) {
      const Span& span = operations_[i];
      if (list_[i].column < 0 || span.thread != t) continue;
      const std::int64_t last = span.end >= 0 ? span.end : static_cast<std::int64_t>(order.size()) - 1;
      for (std::uint32_t k = 0; k < transitions[t].size(); ++k) {
        const TransitionIndex at = transitions[t][k];
        if (at < span.begin || at > last) continue;
        const auto accesses = order.accesses(at);
        const bool waits = std::any_of(accesses.begin(), accesses.end(), [&](const Access& a) {
          return a.blocking && a.object != objects::thread(static_cast<ThreadId>(t)) && !objects::is_debut(a.object);
        });
        if (waits) {  // perhaps with the first thing it does: it was called, all the same
          places[t].push_back({k, static_cast<int>(i), done});
          some_wait = true;
        }
      }
      if (span.end < 0) {  // it waits to the end
        places[t].push_back({static_cast<std::uint32_t>(transitions[t].size()), static_cast<int>(i), done});
        some_wait = true;
        break;
      }
      done |= bit_of(i);
      const auto made = static_cast<std::uint32_t>(
          std::upper_bound(transitions[t].begin(), transitions[t].end(), static_cast<TransitionIndex>(span.end)) -
          transitions[t].begin());
      places[t].push_back({made, -1, done});
    }
  }
  if (!some_wait) return;
  Cut cut(transitions.size()), all;
  for (const auto& list : transitions) all.push_back(static_cast<std::uint32_t>(list.size()));
  const std::function<void(std::size_t, std::uint64_t, std::uint64_t)> choose =
      [&](std::size_t t, std::uint64_t waiting, std::uint64_t done) {
        if (t < places.size()) {
          for (const Place& place : places[t]) {
            cut[t] = place.made;
            if (!cutter.closed_up_to(t, cut)) continue;
            choose(t + 1, place.pending >= 0 ? waiting | bit_of(static_cast<unsigned>(place.pending)) : waiting,
                   done | place.done);
          }
          return;
        }
        if (waiting == 0) return;
        for (std::uint64_t mask = waiting; mask; mask &= mask - 1) {
          const ThreadId thread = operations_[static_cast<unsigned>(std::countr_zero(mask))].thread;
          const bool to_the_end = cut[thread] == transitions[thread].size();
          if (to_the_end ? !cutter.blocked_at_end(thread, strategy_.waiting(), cut)
                         : !cutter.blocked(transitions[thread][cut[thread]], cut))
            return;
        }
        if (cut == all && (done | waiting) == history.called) return;  // the end is judged by itself
        tell(made_of(done | waiting, done, history), cut);
      };
  choose(0, 0, 0);
}

std::vector<ClassRecorder::Turn> ClassRecorder::order_with(const Recorded& history, const Cut& cut) const {
  const CausalOrder& order = strategy_.order();
  const Cutter cutter(order);
  // Edges of the history: the end of an operation comes before the beginning of those called after it returned.
  std::vector<std::pair<TransitionIndex, TransitionIndex>> edges;
  for (std::uint64_t mask = history.called; mask; mask &= mask - 1) {
    const auto b = static_cast<unsigned>(std::countr_zero(mask));
    const std::int64_t first = first_transition(operations_[b]);
    for (std::uint64_t earlier = history.before[b]; earlier; earlier &= earlier - 1) {
      const Span& a = operations_[static_cast<unsigned>(std::countr_zero(earlier))];
      if (first >= 0 && a.end >= 0 && a.thread != operations_[b].thread)
        edges.emplace_back(static_cast<TransitionIndex>(a.end), static_cast<TransitionIndex>(first));
    }
  }
  std::vector<Turn> turns;
  std::vector<bool> made(order.size(), false);
  for (bool progress = true; progress;) {
    progress = false;
    for (TransitionIndex i = 0; i < order.size() && !progress; ++i) {
      if (made[i] || (!cut.empty() && !cutter.inside(i, cut))) continue;
      bool ready = true;
      for (TransitionIndex j = 0; j < order.size() && ready; ++j) ready = made[j] || j == i || !order.before(j, i);
      for (const auto& [from, to] : edges) ready &= to != i || made[from];
      if (!ready) continue;
      made[i] = progress = true;
      turns.push_back({order.thread(i), cutter.ordinal(i)});
    }
  }
  return turns;
}

}  // namespace muster
