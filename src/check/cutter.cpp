#include "check/cutter.hpp"

#include <algorithm>

namespace muster {

bool waits_at(const CausalOrder& order, TransitionIndex transition) {
  return std::ranges::any_of(order.accesses(transition),
                             [&](const Access& access) { return waits(order.thread(transition), access); });
}

Cutter::Cutter(const CausalOrder& order) : order_(order) {
  for (TransitionIndex i = 0; i < order.size(); ++i) {
    if (transitions_.size() <= order.thread(i)) transitions_.resize(order.thread(i) + 1u);
    transitions_[order.thread(i)].push_back(i);
  }
}

std::uint32_t Cutter::ordinal(TransitionIndex i) const {
  const auto& list = transitions_[order_.thread(i)];
  return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), i) - list.begin());
}

bool Cutter::closed_up_to(std::size_t thread, const Cut& cut) const {
  const auto leaves_out = [&](std::size_t u, std::size_t t) {
    return cut[t] > 0 && cut[u] < transitions_[u].size() &&
           order_.before(transitions_[u][cut[u]], transitions_[t][cut[t] - 1]);
  };
  for (std::size_t u = 0; u < thread; ++u) {
    if (leaves_out(u, thread) || leaves_out(thread, u)) return false;
  }
  return true;
}

namespace {

bool is_wake_up(ObjectId object) { return object >= objects::wake_up(0) && object <= objects::wake_up(max_threads); }

}  // namespace

bool Cutter::may_block(TransitionIndex next, std::span<const ObjectId> held) const {
  const auto accesses = order_.accesses(next);
  return std::any_of(accesses.begin(), accesses.end(), [&](const Access& a) {
    return a.blocking &&
           (is_wake_up(a.object) || a.counted || std::find(held.begin(), held.end(), a.object) != held.end());
  });
}

/// Whoever takes a lock last at a cut was also the last to take it in the part of its own thread.
void Cutter::add_held_by(ThreadId thread, std::uint32_t made, Objects& held) const {
  struct Lock {
    ObjectId object;
    bool held;
    int shares;
  };
  absl::InlinedVector<Lock, 8> locks;
  for (std::uint32_t k = 0; k < made; ++k) {
    for (const Access& access : order_.accesses(transitions_[thread][k])) {
      if (access.mode == AccessMode::read) continue;
      auto lock = std::find_if(locks.begin(), locks.end(), [&](const Lock& l) { return l.object == access.object; });
      if (lock == locks.end()) lock = locks.insert(lock, {access.object, false, 0});
      if (access.mode == AccessMode::write) lock->held = !access.enabling;
      if (access.mode == AccessMode::commute) lock->shares += access.enabling ? -1 : 1;
    }
  }
  for (const Lock& lock : locks) {
    if (lock.held || lock.shares > 0) held.push_back(lock.object);
  }
}

bool Cutter::blocked(TransitionIndex next, const Cut& cut) const {
  for (const Access& access : order_.accesses(next)) {
    if (!access.blocking) continue;
    if (is_wake_up(access.object)) {
      if (!woken(access, next, cut)) return true;
    } else if (access.mode != AccessMode::read && taken(access, cut)) {
      return true;
    }
  }
  return false;
}

bool Cutter::blocked_at_end(ThreadId thread, std::span<const ReductionStrategy::Waiting> waiting,
                            const Cut& cut) const {
  return std::all_of(waiting.begin(), waiting.end(),
                     [&](const auto& w) { return w.thread != thread || taken(w.access, cut); });
}

bool Cutter::woken(const Access& wake, TransitionIndex next, const Cut& cut) const {
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
bool Cutter::taken(const Access& wanted, const Cut& cut) const {
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

}  // namespace muster
