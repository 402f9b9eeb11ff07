#include "predict/races.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Event;
using trace::Kind;

void RaceDetector::consume(std::span<const Event> events) {
  for (const Event& event : events) is_access(event.kind) ? access(event) : synchronize(event);
}

VectorClock& RaceDetector::clock(std::uint32_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  if (threads_[thread].at(thread) == 0) threads_[thread].set(thread, 1);
  return threads_[thread];
}

void RaceDetector::access(const Event& event) {
  if (event.object >= variables_.size()) variables_.resize(event.object + 1u);
  Variable& variable = variables_[event.object];
  const std::uint32_t time = clock(event.thread).at(event.thread);
  if (!is_plain(event.kind))
    atomic(variable, event);
  else if (event.kind == Kind::read)
    read(variable, event, time);
  else
    write(variable, event, time);
}

void RaceDetector::read(Variable& variable, const Event& event, std::uint32_t time) {
  if (variable.reads == 0 && variable.read.thread == event.thread && variable.read.time == time) return;
  const Access now{event.thread, time, event.site};
  if (variable.reads != 0) {
    Accesses& reads = lists_[variable.reads - 1];
    for (const Access& own : reads)
      if (own.thread == event.thread && own.time == time) return;
    check(variable.write, true, event);
    put(reads, now);
  } else {
    check(variable.write, true, event);
    const Access& last = variable.read;
    if (last.time == 0 || last.thread == event.thread || last.time <= clock(event.thread).at(last.thread)) {
      variable.read = now;
    } else {
      lists_.push_back({last, now});
      variable.reads = static_cast<std::uint32_t>(lists_.size());
    }
  }
  if (variable.atomics != 0) check_all(atomics_[variable.atomics - 1].writes, true, event);
}

void RaceDetector::write(Variable& variable, const Event& event, std::uint32_t time) {
  if (variable.write.thread == event.thread && variable.write.time == time) return;
  check(variable.write, true, event);
  check(variable.read, false, event);
  if (variable.reads != 0) {
    check_all(lists_[variable.reads - 1], false, event);
    lists_[variable.reads - 1].clear();
  }
  if (variable.atomics != 0) {
    check_all(atomics_[variable.atomics - 1].writes, true, event);
    check_all(atomics_[variable.atomics - 1].reads, false, event);
  }
  variable.write = {event.thread, time, event.site};
  variable.read = {};
}

// Atomic accesses race with plain ones only. They are taken to synchronise, whatever their memory order was: a trace
// does not carry it, and a race that is missed is better than one that is not there.
void RaceDetector::atomic(Variable& variable, const Event& event) {
  if (variable.atomics == 0) {
    atomics_.emplace_back();
    variable.atomics = static_cast<std::uint32_t>(atomics_.size());
  }
  Atomic& atomic = atomics_[variable.atomics - 1];
  if (event.kind != Kind::atomic_write) clock(event.thread).join(atomic.released);
  check(variable.write, true, event);
  const Access now{event.thread, clock(event.thread).at(event.thread), event.site};
  if (event.kind == Kind::atomic_read) {
    put(atomic.reads, now);
    return;
  }
  check(variable.read, false, event);
  if (variable.reads != 0) check_all(lists_[variable.reads - 1], false, event);
  put(atomic.writes, now);
  atomic.released.join(clock(event.thread));
  tick(event.thread);
}

VectorClock& RaceDetector::clock_of(std::vector<VectorClock>& clocks, std::uint32_t object) {
  if (object >= clocks.size()) clocks.resize(object + 1);
  return clocks[object];
}

void RaceDetector::synchronize(const Event& event) {
  VectorClock& self = clock(event.thread);
  switch (event.kind) {
    case Kind::lock:
    case Kind::try_lock:
      self.join(clock_of(shared_locks_, event.object));
      [[fallthrough]];
    case Kind::lock_shared:
    case Kind::try_lock_shared:
      self.join(clock_of(locks_, event.object));
      return;
    case Kind::unlock:
      clock_of(locks_, event.object) = self;
      break;
    case Kind::unlock_shared:
      clock_of(shared_locks_, event.object).join(self);
      break;
    case Kind::fork: {
      const VectorClock parent = self;
      clock(event.object).join(parent);
      break;
    }
    case Kind::join: {
      const VectorClock child = clock(event.object);
      clock(event.thread).join(child);
      return;
    }
    case Kind::begin:
    case Kind::end:
      return;
    default:
      if (is_await(event.kind)) {
        self.join(clock_of(orders_, event.object));
        return;
      }
      clock_of(orders_, event.object).join(self);
  }
  tick(event.thread);
}

void RaceDetector::put(Accesses& accesses, const Access& access) {
  for (Access& own : accesses) {
    if (own.thread == access.thread) {
      own = access;
      return;
    }
  }
  accesses.push_back(access);
}

void RaceDetector::check_all(const Accesses& earlier, bool earlier_write, const Event& event) {
  for (const Access& access : earlier) check(access, earlier_write, event);
}

void RaceDetector::check(const Access& earlier, bool earlier_writes, const Event& event) {
  if (earlier.time == 0 || earlier.thread == event.thread || earlier.time <= threads_[event.thread].at(earlier.thread))
      [[likely]]
    return;
  const bool writes = is_write(event.kind);
  const auto [entry, is_new] = known_.try_emplace({earlier.site, event.site, earlier_writes, writes}, races_.size());
  if (is_new)
    races_.push_back({event.object, earlier.thread, event.thread, earlier.site, event.site, earlier_writes, writes, 0});
  ++races_[entry->second].count;
}

}  // namespace muster::predict
