// Where could everything that is pending be blocked, had others stopped? Only the cuts of an execution at which each
// thread is between operations or before something that it waits for come into question.

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "check/class_recorder.hpp"

namespace muster {

/// Thread 0 started the others, and is in no operation of theirs.
ClassRecorder::Place ClassRecorder::place_of_main(const Cutter& cutter) const {
  Place place{0, -1, 0};
  for (unsigned i = 0; i < list_.size(); ++i) {
    if (list_[i].column < 0 && operations_[i].thread != no_thread && i < test_.first.size()) place.done |= bit_of(i);
  }
  const auto& transitions = cutter.transitions()[0];
  for (std::uint32_t k = 0; k < transitions.size(); ++k) {
    for (const Access& access : strategy_.order().accesses(transitions[k])) {
      if (access.object == objects::thread_ids) place.made = k + 1;  // up to the last spawn
    }
  }
  return place;
}

ClassRecorder::Places ClassRecorder::places_of(ThreadId thread, const Cutter& cutter) const {
  const CausalOrder& order = strategy_.order();
  const auto& transitions = cutter.transitions()[thread];
  Places places{{0, -1, 0}};
  std::uint64_t done = 0;
  for (unsigned i = 0; i < list_.size(); ++i) {
    const Span& span = operations_[i];
    if (list_[i].column < 0 || span.thread != thread) continue;
    const std::int64_t last = span.end >= 0 ? span.end : static_cast<std::int64_t>(order.size()) - 1;
    for (std::uint32_t k = 0; k < transitions.size(); ++k) {
      if (transitions[k] < span.begin || transitions[k] > last) continue;
      // Perhaps it waits with the first thing it does: it was called, all the same.
      if (waits_at(order, transitions[k])) places.push_back({k, static_cast<int>(i), done});
    }
    if (span.end < 0) {  // it waits to the end
      places.push_back({static_cast<std::uint32_t>(transitions.size()), static_cast<int>(i), done});
      break;
    }
    done |= bit_of(i);
    const auto end = std::upper_bound(transitions.begin(), transitions.end(), static_cast<TransitionIndex>(span.end));
    places.push_back({static_cast<std::uint32_t>(end - transitions.begin()), -1, done});
  }
  return places;
}

/// Nobody waits for a lock that is free wherever the others may be: most locks are held within a step between two
/// places.
void ClassRecorder::leave_out_where_nobody_blocks(ByThread<Places>& places, const Cutter& cutter) const {
  Cutter::Objects held;
  for (std::size_t t = 0; t < places.size(); ++t) {
    for (const Place& place : places[t]) cutter.add_held_by(static_cast<ThreadId>(t), place.made, held);
  }
  for (std::size_t t = 0; t < places.size(); ++t) {
    const auto& transitions = cutter.transitions()[t];
    const auto never_blocks = [&](const Place& place) {
      return place.pending >= 0 && place.made < transitions.size() && !cutter.may_block(transitions[place.made], held);
    };
    places[t].erase(std::remove_if(places[t].begin(), places[t].end(), never_blocks), places[t].end());
  }
}

namespace {

/// The locks that threads have while an execution is gone through.
class Held {
 public:
  bool some_by(ThreadId thread) const {
    return std::ranges::any_of(locks_, [&](const Lock& lock) { return lock.thread == thread; });
  }
  bool empty() const { return locks_.empty(); }
  void take(ThreadId thread, ObjectId object, TransitionIndex at) { locks_.push_back({thread, object, at}); }
  /// Since when it was held, if it was.
  std::optional<TransitionIndex> release(ThreadId thread, ObjectId object) {
    const auto lock =
        std::ranges::find_if(locks_, [&](const Lock& held) { return held.thread == thread && held.object == object; });
    if (lock == locks_.end()) return std::nullopt;
    const TransitionIndex since = lock->since;
    locks_.erase(lock);
    return since;
  }

 private:
  struct Lock {
    ThreadId thread;
    ObjectId object;
    TransitionIndex since;
  };
  absl::InlinedVector<Lock, 8> locks_;
};

}  // namespace

/// Most locks are held within an operation that waits for nothing meanwhile. Where all are, and nothing else is waited
/// for, nobody is blocked at any cut.
bool ClassRecorder::only_holds_locks_within_operations() const {
  const CausalOrder& order = strategy_.order();
  Held held;
  const auto ends_between = [&](ThreadId thread, TransitionIndex from, TransitionIndex to) {
    return std::ranges::any_of(
        operations_, [&](const Span& span) { return span.thread == thread && span.end >= from && span.end < to; });
  };
  const auto is_harmless = [&](ThreadId thread, TransitionIndex i, const Access& access) {
    const bool waiting = thread != 0 && waits(thread, access);
    const bool spawns = access.object == objects::thread_ids;
    if ((waiting || spawns) && held.some_by(thread)) return false;
    if (!objects::is_queue(access.object) || access.mode == AccessMode::read) return !waiting;
    if (access.mode == AccessMode::commute || access.counted) return false;
    if (!access.enabling) {
      held.take(thread, access.object, i);
      return true;
    }
    const auto since = held.release(thread, access.object);
    return !since || !ends_between(thread, *since, i);
  };
  for (TransitionIndex i = 0; i < order.size(); ++i) {
    for (const Access& access : order.accesses(i)) {
      if (!is_harmless(order.thread(i), i, access)) return false;
    }
  }
  return held.empty() && std::ranges::none_of(operations_, &Span::never_ends);
}

void ClassRecorder::each_stuck_cut(const Recorded& history,
                                   absl::FunctionRef<void(const HistoryClass&, const Cut&)> tell) const {
  const bool somebody_waits = strategy_.order().somebody_waits() || std::ranges::any_of(operations_, &Span::never_ends);
  if (!somebody_waits || only_holds_locks_within_operations()) return;
  const Cutter cutter(strategy_.order());
  const auto& transitions = cutter.transitions();
  if (transitions.size() != 1 + test_.columns.size()) return;  // threads of the object's own go on between operations
  ByThread<Places> places{{place_of_main(cutter)}};
  for (std::size_t t = 1; t < transitions.size(); ++t) places.push_back(places_of(static_cast<ThreadId>(t), cutter));
  leave_out_where_nobody_blocks(places, cutter);
  const auto waits = [](const Place& place) { return place.pending >= 0; };
  if (std::ranges::none_of(places, [&](const Places& list) { return std::ranges::any_of(list, waits); })) return;

  Cut cut(transitions.size()), all;
  for (const auto& list : transitions) all.push_back(static_cast<std::uint32_t>(list.size()));
  const auto is_blocked = [&](unsigned operation) {
    const ThreadId thread = operations_[operation].thread;
    return cut[thread] == transitions[thread].size() ? cutter.blocked_at_end(thread, strategy_.waiting(), cut)
                                                     : cutter.blocked(transitions[thread][cut[thread]], cut);
  };
  const std::function<void(std::size_t, std::uint64_t, std::uint64_t)> choose =
      [&](std::size_t t, std::uint64_t waiting, std::uint64_t done) {
        if (t < places.size()) {
          for (const Place& place : places[t]) {
            cut[t] = place.made;
            if (!cutter.closed_up_to(t, cut)) continue;
            choose(t + 1, waits(place) ? waiting | bit_of(static_cast<unsigned>(place.pending)) : waiting,
                   done | place.done);
          }
          return;
        }
        if (waiting == 0) return;
        for (std::uint64_t mask = waiting; mask; mask &= mask - 1) {
          if (!is_blocked(static_cast<unsigned>(std::countr_zero(mask)))) return;
        }
        if (cut == all && (done | waiting) == history.called) return;  // the end is judged by itself
        HistoryClass made = made_of(done | waiting, done, history);
        made.stuck = true;
        tell(made, cut);
      };
  choose(0, 0, 0);
}

}  // namespace muster
