#include "predict/profile.hpp"

#include <algorithm>
#include <bit>

namespace muster::predict {

using trace::Event;
using trace::Kind;

namespace {

/// More different witnesses than this for one thread, variable and sites are thinned out.
constexpr std::size_t most_witnesses = 16;

}  // namespace

void Profiler::consume(std::span<const Event> events) {
  for (const Event& event : events) is_access(event.kind) ? access(event) : synchronize(event);
}

Profiler::Thread& Profiler::enter(const Event& event) {
  if (event.thread >= threads_.size()) threads_.resize(event.thread + 1u);
  Thread& thread = threads_[event.thread];
  if (!thread.known) {
    thread.known = true;
    refresh_context(event.thread, thread);
    if (transactions_ == Transactions::whole_threads) begin(thread);
  }
  return thread;
}

Profiler::Cell& Profiler::cell(Thread& thread, std::uint32_t variable) {
  const std::uint32_t page = variable >> page_bits;
  if (page >= thread.pages.size()) thread.pages.resize(std::max<std::size_t>(page + 1, thread.pages.size() * 2));
  if (!thread.pages[page]) thread.pages[page] = std::make_unique<Cell[]>(1u << page_bits);
  return thread.pages[page][variable & ((1u << page_bits) - 1)];
}

void Profiler::access(const Event& event) {
  Thread& thread = enter(event);
  Cell& cell = this->cell(thread, event.object);
  const bool write = is_write(event.kind);
  const bool known = cell.point_site[write] == event.site &&
                     (cell.point_context[write] == thread.context || cell.free_segment[write] == thread.segment);
  if (!known) record_point(cell, thread, event);
  if (thread.depth == 0) return;
  if (cell.transaction != thread.transaction) {
    cell.transaction = thread.transaction;
    cell.first[0].index = cell.first[1].index = none;
    for (auto& lasts : cell.last)
      for (Last& last : lasts) last.index = none;
    thread.touched.push_back(event.object);
  } else {
    record_pairs(cell, thread, event);
  }
  First& first = cell.first[write];
  if (first.index == none) first = {event.index, event.site, thread.segment};
}

void Profiler::record_pairs(Cell& cell, const Thread& thread, const Event& event) {
  const bool write = is_write(event.kind);
  for (const bool first_writes : {false, true}) {
    const First& first = cell.first[first_writes];
    if (first.index == none) continue;
    cell.last[first_writes][write] = {thread.locks.held_since(first.index), event.index, event.site, thread.segment};
  }
}

void Profiler::record_point(Cell& cell, const Thread& thread, const Event& event) {
  const bool write = is_write(event.kind);
  cell.point_context[write] = thread.context;
  cell.point_site[write] = event.site;
  cell.free_segment[write] = thread.locks.lockset() == no_locks ? thread.segment : none;
  if (cell.profile == none) {
    cell.profile = static_cast<std::uint32_t>(profiles_.size());
    profiles_.push_back({event.thread, event.object, {}, {}});
  }
  auto& groups = profiles_[cell.profile].points;
  auto group = std::ranges::find_if(
      groups, [&](const PointGroup& each) { return each.site == event.site && each.write == write; });
  if (group == groups.end()) group = groups.insert(groups.end(), {event.site, write, {}});
  keep(group->points, Point{thread.locks.lockset(), thread.segment, event.index}, &Point::locks,
       [](const Point& a, const Point& b) { return a.segment == b.segment; });
}

void Profiler::keep_pairs(Cell& cell) {
  for (const bool first_writes : {false, true}) {
    for (const bool last_writes : {false, true}) {
      const First& first = cell.first[first_writes];
      const Last& last = cell.last[first_writes][last_writes];
      if (last.index == none) continue;
      auto& groups = profiles_[cell.profile].pairs;
      auto group = std::ranges::find_if(groups, [&](const PairGroup& each) {
        return each.first_site == first.site && each.last_site == last.site && each.first_writes == first_writes &&
               each.last_writes == last_writes;
      });
      if (group == groups.end())
        group = groups.insert(groups.end(), {first.site, last.site, first_writes, last_writes, {}});
      keep(group->pairs, Pair{last.held, first.segment, last.segment, first.index, last.index}, &Pair::held,
           [](const Pair& a, const Pair& b) {
             return a.first_segment == b.first_segment && a.last_segment == b.last_segment;
           });
    }
  }
}

// Two witnesses of the same segments differ in their locks alone, and one without locks makes the others needless. Sets
// that merely contain another are kept, while there is room: where the run could deadlock, the smaller set may belong
// to an event that cannot be reached.
template <class Witness, class Same>
void Profiler::keep(absl::InlinedVector<Witness, 1>& witnesses, const Witness& witness, LocksetId Witness::*locks,
                    Same same) {
  for (const Witness& known : witnesses)
    if (same(known, witness) && (known.*locks == witness.*locks || known.*locks == no_locks)) return;
  const auto drop_if = [&](auto condition) {
    const auto rest = std::remove_if(witnesses.begin(), witnesses.end(), condition);
    witnesses.erase(rest, witnesses.end());
  };
  if (witness.*locks == no_locks) drop_if([&](const Witness& known) { return same(known, witness); });
  if (witnesses.size() >= most_witnesses) {
    for (const Witness& known : witnesses)
      if (same(known, witness) && locksets_.weaker(known.*locks, witness.*locks)) return;
    drop_if(
        [&](const Witness& known) { return same(known, witness) && locksets_.weaker(witness.*locks, known.*locks); });
    if (witnesses.size() >= most_witnesses) {
      thinned_ = true;
      witnesses.erase(witnesses.begin() + most_witnesses / 2);  // the earliest and the latest stay
    }
  }
  witnesses.push_back(witness);
}

void Profiler::synchronize(const Event& event) {
  Thread& thread = enter(event);
  switch (event.kind) {
    case Kind::lock:
    case Kind::lock_shared:
    case Kind::try_lock:
    case Kind::try_lock_shared:
      acquire(thread, event);
      break;
    case Kind::unlock:
    case Kind::unlock_shared:
      thread.locks.release({event.object & 0x7fffffff, event.kind == Kind::unlock});
      break;
    case Kind::begin:
      if (transactions_ == Transactions::marked) begin(thread);
      return;
    case Kind::end:
      if (transactions_ == Transactions::marked) end(thread);
      return;
    default:
      segments_.order_event(event);
  }
  refresh_context(event.thread, thread);
}

void Profiler::acquire(Thread& thread, const Event& event) {
  const Held lock{event.object & 0x7fffffff, !is_shared(event.kind)};
  lock_count_ = std::max(lock_count_, event.object + 1);
  const LocksetId held = thread.locks.lockset();
  if (!thread.locks.acquire(lock, event.index, locksets_) || held == no_locks) return;
  const bool attempt = is_attempt(event.kind);
  const std::pair key{
      (std::uint64_t{attempt} << 63) | (std::uint64_t{event.thread} << 32) | std::bit_cast<std::uint32_t>(lock),
      (std::uint64_t{thread.segment} << 32) | held};
  if (dependencies_complete() && known_dependencies_.try_emplace(key, true).second)
    dependencies_.push_back({event.thread, lock, held, thread.segment, event.index, event.site, attempt});
}

// Marked transactions nest: the outermost counts.
void Profiler::begin(Thread& thread) {
  if (thread.depth++ > 0) return;
  ++thread.transaction;
  ++transaction_count_;
}

void Profiler::end(Thread& thread) {
  if (thread.depth == 0 || --thread.depth > 0) return;
  for (const std::uint32_t variable : thread.touched) keep_pairs(cell(thread, variable));
  thread.touched.clear();
}

void Profiler::finish() {
  for (Thread& thread : threads_) {
    thread.depth = std::min(thread.depth, 1u);
    end(thread);
  }
}

void Profiler::refresh_context(std::uint32_t id, Thread& thread) {
  thread.segment = segments_.current(id);
  thread.context = (std::uint64_t{thread.segment} << 32) | thread.locks.lockset();
}

bool Profiler::coarsened() const {
  return std::ranges::any_of(threads_, [](const Thread& thread) { return thread.locks.coarsened(); });
}

}  // namespace muster::predict
