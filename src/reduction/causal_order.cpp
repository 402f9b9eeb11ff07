#include "reduction/causal_order.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace muster {
namespace {

constexpr unsigned word_size = 8;
constexpr unsigned few = 16;  // threads that nearly all executions have at most

bool covers(const Access& a, const Access& b) { return a.object <= b.object && b.object + b.size <= a.object + a.size; }

}  // namespace

CausalOrder::CausalOrder() : slots_(1024) { entries_.push_back({}); }

std::span<const Access> CausalOrder::accesses(TransitionIndex i) const {
  const std::size_t end = i + 1 < size() ? transitions_[i + 1].plain : plain_.size();
  return {plain_.data() + transitions_[i].plain, plain_.data() + end};
}

void CausalOrder::begin(ThreadId thread) {
  const std::int16_t held = last_[thread] ? transitions_[last_[thread] - 1].held : std::int16_t{0};
  transitions_.push_back({thread, false, somebody_waits(), held, static_cast<std::uint32_t>(plain_.size()),
                          static_cast<std::uint32_t>(entries_.size()), last_[thread], forced_preemptions()});
  last_[thread] = size();
  threads_ = std::max<unsigned>(threads_, thread + 1u);
  closed_ = false;
}

void CausalOrder::add(const Access& access) {
  if (access.object == objects::free_switch) {
    transitions_.back().free_switch = true;
    return;
  }
  plain_.push_back(access);
  Transition& transition = transitions_.back();
  transition.somebody_waits |= transition.thread != 0 && waits(transition.thread, access);
  if (objects::is_queue(access.object) && access.mode != AccessMode::read) transition.held += access.enabling ? -1 : 1;
  if (access.object % word_size + access.size <= word_size) [[likely]]
    return append(access);
  for (ObjectId at = access.object; at < access.object + access.size; at = (at / word_size + 1) * word_size) {
    Access piece = access;
    piece.object = at;
    piece.size =
        static_cast<std::uint32_t>(std::min(access.object + access.size, (at / word_size + 1) * word_size) - at);
    append(piece);
  }
}

void CausalOrder::append(const Access& piece) {
  const std::uint32_t number = slot_of(piece.object / word_size);
  Last& last = slots_[number].last;
  const auto entry = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({piece, size() - 1, last, number});
  last = {entry, piece.mode == AccessMode::read ? last.but_reads : entry};
}

std::uint32_t CausalOrder::slot_of(ObjectId word) {
  if (2 * (used_slots_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = mix(word, 0) & mask;; i = (i + 1) & mask) {
    if (slots_[i].word == word) return static_cast<std::uint32_t>(i);
    if (slots_[i].word != ~ObjectId{0}) continue;
    slots_[i].word = word;
    ++used_slots_;
    return static_cast<std::uint32_t>(i);
  }
}

void CausalOrder::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.word == ~ObjectId{0}) continue;
    std::size_t i = mix(slot.word, 0) & mask;
    while (slots_[i].word != ~ObjectId{0}) i = (i + 1) & mask;
    slots_[i] = slot;
    for (std::uint32_t entry = slot.last.any; entry != 0; entry = entries_[entry].previous.any)
      entries_[entry].slot = static_cast<std::uint32_t>(i);
  }
}

/// The accesses up to `last` that `access` conflicts with, as far as they can be its direct predecessors.
void CausalOrder::collect(const Access& access, const Last& last, TransitionIndex self, const ClockRow& known) {
  bool taken = access.blocking && self == size();  // by somebody: only who took it can have come first
  const bool reads = access.mode == AccessMode::read;
  const auto next = [reads](const Last& before) { return reads ? before.but_reads : before.any; };
  for (std::uint32_t i = next(last); i != 0; i = next(entries_[i].previous)) {
    const Entry& entry = entries_[i];
    if (entry.transition == self || !conflict(access, entry.access)) continue;
    const bool awaited = access.blocking && entry.access.enabling && !access.counted;
    if (taken && !access.counted && entry.access.mode == AccessMode::read) continue;
    taken |= awaited;
    if (entry.transition >= known[transitions_[entry.transition].thread])
      predecessors_.push_back(
          {entry.transition, access.object, awaited, taken && !awaited, access.alternative, access.counted});
    // Whatever came before a write happened before it; but behind the end of a wait lies who took what is waited for.
    if (!awaited && !access.counted && entry.access.mode == AccessMode::write && covers(entry.access, access)) return;
  }
}

/// Those predecessors that happened before no other one, and need not have: they race with what `thread` does.
void CausalOrder::find_races(ThreadId thread, TransitionIndex self, const ClockRow& known, std::vector<Race>& races) {
  for (const Predecessor& candidate : predecessors_) {
    const ThreadId other = transitions_[candidate.transition].thread;
    if (candidate.awaited || other == thread || candidate.transition < known[other]) continue;
    const bool hidden = std::any_of(predecessors_.begin(), predecessors_.end(), [&](const Predecessor& p) {
      if (p.transition == candidate.transition) return p.awaited;
      if (candidate.alternative) return false;  // the deadline can come before the waker, whatever is awaited since
      if (p.object == candidate.object && candidate.counted) return false;
      if (p.object != candidate.object && candidate.took) return false;  // while it has it, nothing can be reversed
      if (p.awaited && p.object == candidate.object) return false;
      return before(candidate.transition, p.transition);
    });
    if (hidden) continue;
    const Race race{candidate.transition, self, thread};
    if (!races.empty() && races.back().earlier == race.earlier && races.back().later == race.later &&
        races.back().thread == thread)
      continue;
    races.push_back(race);
  }
}

/// Nearly all executions have few threads: what is behind those is zero in all rows until there are more.
void CausalOrder::copy(const ClockRow& from, ClockRow& to) const {
  if (threads_ <= few)
    std::copy_n(from.begin(), few, to.begin());
  else
    to = from;
}

void CausalOrder::join(const ClockRow& other, ClockRow& into) const {
  const auto join_first = [&](unsigned count) {
    for (unsigned t = 0; t < count; ++t) into[t] = std::max(into[t], other[t]);
  };
  if (threads_ <= few)
    join_first(few);
  else
    join_first(threads_);
}

void CausalOrder::close(std::vector<Race>& races) {
  if (closed_) return;
  closed_ = true;
  const TransitionIndex self = size() - 1;
  Transition& transition = transitions_[self];
  if (clocks_.size() < size()) clocks_.resize(2 * size());
  ClockRow& row = clocks_[self];
  static constexpr ClockRow nothing{};
  const ClockRow& known = transition.previous ? clocks_[transition.previous - 1] : nothing;
  copy(known, row);
  predecessors_.clear();
  bool waits = false;
  for (std::size_t i = transition.entries; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    waits |= entry.access.blocking || entry.access.alternative ||
             entry.access.object == objects::clock;  // it may have been blocked
    collect(entry.access, entry.previous, self, known);
  }
  bool interrupted = false;
  for (const Predecessor& p : predecessors_) {
    const ClockRow& other = clocks_[p.transition];
    interrupted |= transition.previous != 0 && other[transition.thread] >= transition.previous;
    join(other, row);
  }
  row[transition.thread] = self + 1;
  const bool free = transition.previous == 0 || transitions_[transition.previous - 1].free_switch;
  if (interrupted && !waits && !free) ++transition.forced;
  find_races(transition.thread, self, known, races);
}

void CausalOrder::waiting(ThreadId thread, const Access& access, std::vector<Race>& races) {
  static constexpr ClockRow nothing{};
  const ClockRow& known = last_[thread] ? clocks_[last_[thread] - 1] : nothing;
  const std::uint32_t slot = slot_of(access.object / word_size);
  predecessors_.clear();
  collect(access, slots_[slot].last, size(), known);
  find_races(thread, size(), known, races);
}

bool CausalOrder::knows_all(ThreadId thread) const {
  if (last_[thread] != size()) return false;
  const ClockRow& known = clock(size() - 1);
  for (unsigned t = 0; t < threads_; ++t) {
    if (known[t] < last_[t]) return false;
  }
  return true;
}

void CausalOrder::truncate(std::uint32_t size) {
  if (size >= transitions_.size()) return;
  const std::size_t keep = transitions_[size].entries;
  for (std::size_t i = entries_.size(); i-- > keep;) slots_[entries_[i].slot].last = entries_[i].previous;
  entries_.resize(keep);
  for (std::size_t i = transitions_.size(); i-- > size;) last_[transitions_[i].thread] = transitions_[i].previous;
  plain_.resize(transitions_[size].plain);
  transitions_.resize(size);
  closed_ = true;
}

}  // namespace muster
