// The engine's points: where an execution can go on in more than one way, and which way it takes.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/hash.hpp"
#include "runtime/engine.hpp"
#include "runtime/every_access.hpp"
#include "schedule/thread_set.hpp"

namespace muster {
namespace {

// A thread that makes so many visible steps in a row while others could step is treated as spinning, whatever it does.
constexpr std::uint32_t long_run = 2'000;

}  // namespace

// ---- decisions ----

/// What tells one point from another within this process, so that an execution that is not reproducible is noticed.
std::uint32_t Engine::fingerprint(PointKind kind, unsigned count) const {
  const ThreadId running = current_->id;
  std::uint64_t mixed = mix(next_[running].site ^ (std::uint64_t{steps_} << 32), (std::uint64_t{running} << 8) ^ count);
  if (kind == PointKind::thread) mixed ^= enabled() * 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>(mixed >> 16) | 1;
}

std::uint8_t Engine::repeat(PointKind kind, Cost cost, unsigned count, std::uint32_t fingerprint) {
  Decision& recorded = journal_.schedule[position_++];
  if (recorded.kind != kind || recorded.count != count || recorded.cost != cost) [[unlikely]]
    diverged("other options");
  if (recorded.fingerprint != fingerprint) [[unlikely]] {
    if (recorded.fingerprint != 0) diverged("another point");
    recorded.fingerprint = fingerprint;  // read from text: from now on it is known
    recorded.running = current_->id;
  }
  return recorded.index;
}

void Engine::record(PointKind kind, Cost cost, std::uint8_t index, unsigned count, std::uint32_t fingerprint) {
  const auto options = static_cast<std::uint8_t>(count);
  journal_.schedule.push({.kind = kind,
                          .cost = cost,
                          .index = index,
                          .count = options,
                          .limit = options,
                          .running = current_->id,
                          .reduced = reduction_.reducing_,
                          .symmetry = reduction_.symmetry(),
                          .fingerprint = fingerprint,
                          .memory_model = memory_model_});
  ++position_;
}

std::uint8_t Engine::decide(PointKind kind, Cost cost, std::span<const Option> options) {
  if ((!reduction_.reducing_ || kind == PointKind::thread) &&  // a transition is repeated whole
      going_back_.begin_savepoint(steps_, cost, Savepoint::Kind::any)) {
    Context::save(
        *current_->context, GoingBack::copy_to_tape, [](void*) {}, this);
    controlled = true;  // now, and whenever an execution goes on from here
  }
  return decide_unsaved(kind, cost, options);
}

std::uint8_t Engine::decide_unsaved(PointKind kind, Cost cost, std::span<const Option> options) {
  const auto count = static_cast<unsigned>(options.size());
  const std::uint32_t print = fingerprint(kind, count);
  if (position_ < replayed_) return repeat(kind, cost, count, print);
  return decide_anew(kind, cost, options, print);
}

std::uint8_t Engine::decide_anew(PointKind kind, Cost cost, std::span<const Option> options, std::uint32_t print) {
  if (journal_.schedule.full()) [[unlikely]]
    end(Ending::cut);
  std::uint8_t index = 0;
  if (!takes_first_) [[unlikely]] {
    {
      const OwnWork work;
      index = strategy_->decide({kind, cost, current_->id, options, next_, messages_});
    }
    if (index == Strategy::abandon) end(Ending::abandoned);
  }
  record(kind, cost, index, static_cast<unsigned>(options.size()), print);
  return index;
}

/// The options are the running thread, then `others`. They are listed only for a strategy that looks at them: most
/// points of a depth-first search repeat a decision or take the first option.
[[gnu::always_inline]] inline std::uint8_t Engine::decide_to_stay(Cost cost, std::uint64_t others) {
  const unsigned count = 1 + static_cast<unsigned>(std::popcount(others));
  const std::uint32_t print = fingerprint(PointKind::thread, count);
  if (position_ < replayed_) return repeat(PointKind::thread, cost, count, print);
  return decide_to_stay_anew(cost, others, print);
}

/// Apart, so that the options do not lie on the stack of every thread that waits for its turn.
[[gnu::noinline]] std::uint8_t Engine::decide_to_stay_anew(Cost cost, std::uint64_t others, std::uint32_t print) {
  Option options[max_threads];
  options[0] = current_->id;
  const unsigned count = 1 + (takes_first_ ? static_cast<unsigned>(std::popcount(others)) : list(others, options + 1));
  return decide_anew(PointKind::thread, cost, {options, count}, print);
}

void Engine::diverged(const char* how) {
  result_.diverged_at = position_ - 1;
  fatal(IncidentKind::not_reproducible, next_[current_->id].site,
        fmt::format("decision {} of {} met {} than when it was recorded (thread {}, {})", position_, replayed_, how,
                    current_->id, name(next_[current_->id].kind)));
}

unsigned Engine::choose(PointKind kind, unsigned count) {
  if (count <= 1) return 0;
  // A decision prints as one base-62 digit: larger ranges are chosen digit by digit.
  constexpr unsigned most = 61;
  if (count > most) {
    const unsigned high = choose(kind, (count + most - 1) / most);
    return high * most + choose(kind, std::min(most, count - high * most));
  }
  Option options[most];
  for (unsigned i = 0; i < count; ++i) options[i] = static_cast<Option>(i);
  const unsigned chosen = decide(kind, Cost::free, {options, count});
  reduction_.notice(chosen);
  return chosen;
}

/// What the thread is told by that follows from what it reads.
unsigned Engine::choose_message(std::span<const MessageName> messages) {
  Option options[Messages::most_choices];
  for (unsigned i = 0; i < messages.size(); ++i) options[i] = static_cast<Option>(i);
  messages_ = messages.data();
  const unsigned chosen = decide(PointKind::message, Cost::free, {options, messages.size()});
  messages_ = nullptr;
  return chosen;
}

bool Engine::decide_to_fail_spuriously() {
  reduction_.touches({.object = objects::spurious_failures, .mode = AccessMode::write});
  if (spurious_left_ == 0 || choose(PointKind::value, 2) == 0) return false;
  --spurious_left_;
  if (is_watched_) observer_->fails_spuriously();
  return true;
}

// ---- points ----

bool Engine::step(EventKind kind, ObjectId object, SiteId site) {
  Thread& t = *current_;
  count_step(kind, object, site);
  if (!doubted_.empty()) [[unlikely]]
    settle_doubts();
  if (t.attached) {
    t.attached = false;
    if (!options_.planned) return false;
  }
  return !options_.serial || kind == EventKind::call || internal_ != 0;
}

void Engine::thread_point(Cost cost) {
  if (reduction_.reducing_) [[unlikely]]
    return reduced_point();
  Thread& t = *current_;
  const std::uint64_t others = enabled() & ~bit(t.id);
  if (std::exchange(t.woken, false)) cost = Cost::free;
  if (others == 0) return;
  if (++t.run_length > long_run && !options_.planned) [[unlikely]] {
    t.run_length = 0;
    while (t.spin.iterations() <= options_.spin_budget) t.spin.iterate();
    return spin_point();
  }
  save_and_decide(cost, others);
}

/// Under reduction: whoever can step, the running thread first. What a step touches is reported from here on.
void Engine::reduced_point() {
  const std::uint64_t others = enabled() & ~bit(current_->id);
  if (others == 0) return reduction_.begin(*current_);
  save_and_decide(Cost::preemption, others);
}

/// Saving comes last, too: an execution that goes back decides for this thread, which then has its point behind it.
[[gnu::always_inline]] inline void Engine::save_and_decide(Cost cost, std::uint64_t others) {
  if (going_back_.begin_savepoint(steps_, cost, Savepoint::Kind::stay_or_leave))
    return Context::save(*current_->context, GoingBack::copy_to_tape, stay_or_leave_saved, this);
  stay_or_leave(cost, others);
}

[[gnu::always_inline]] inline void Engine::stay_or_leave(Cost cost, std::uint64_t others) {
  const std::uint8_t index = decide_to_stay(cost, others);
  if (index == 0) {
    reduction_.begin(*current_);
    return;
  }
  count_cost(cost);
  leave_for(member(others, index - 1u));
}

void Engine::stay_or_leave_saved(void* self) {
  Engine& e = *static_cast<Engine*>(self);
  controlled = true;
  e.stay_or_leave(e.going_back_.savepoints_.back().cost, e.enabled() & ~bit(e.current_->id));
}

void Engine::leave_for(ThreadId id) {
  Thread& from = *current_;
  if (!seen_states_.empty() && from.status != Thread::Status::finished) [[unlikely]]
    take_state(from);
  make_running(id);
  Context::switch_to(*from.context, *current_->context);
}

/// The running thread gives way: everything but the switch itself.
void Engine::make_running(ThreadId id) {
  if (!doubted_.empty()) [[unlikely]]
    settle_doubts();
  Thread& from = *current_;
  Thread& to = threads_[id];
  from.stayed = false;
  from.run_length = 0;
  from.last_run = steps_;
  if (alone_ != id) alone_ = no_thread;
  from.spin.end_episode();
  if (unwatched_world) [[unlikely]]
    pass_through_unwatched(from);
  reduction_.begin(to);
  current_ = &to;
  races_.run(id);
  if (to.status == Thread::Status::blocked) [[unlikely]]
    expire(to);
  if (unwatched_world) [[unlikely]]
    pass_through_unwatched(to);
  journal_.running = id;
}

/// Whoever gives way in code that is not watched may have released there what it did, and whoever goes on in such code
/// may acquire it: other threads run only in between.
[[gnu::noinline]] void Engine::pass_through_unwatched(const Thread& thread) {
  if (const UnwatchedCode code = unwatched_world->code_of(thread, next_[thread.id].site); code != 0)
    races_.pass_through(code);
}

void Engine::deciding_point(EventKind kind, ObjectId object, SiteId site) {
  const bool may_switch = step(kind, object, site);
  if (is_plain_) {
    if (may_switch)
      thread_point(Cost::preemption);  // comes last: a thread that waits for its turn has no frame of this
    return;
  }
  if (reduction_.reducing_) [[unlikely]]
    return reduction_.point(kind, site, may_switch);
  // In a serial execution calls take turns; only the object's own threads, which step inside operations too, preempt
  // anybody.
  if (may_switch) thread_point(options_.serial && kind == EventKind::call ? Cost::free : Cost::preemption);
  if (watch_events_) tell_executed();
}

void Engine::repeatable_point(EventKind kind, ObjectId object, SiteId site, ObjectId read, std::uint64_t value) {
  const bool may_switch = step(kind, object, site);
  if (reduction_.reducing_) [[unlikely]]
    return reduction_.repeatable_point(kind, site, read, value, may_switch);
  if (watch_events_) [[unlikely]] {
    spin_or_step(site, read, value, may_switch);
    return tell_executed();
  }
  spin_or_step(site, read, value,
               may_switch);  // comes last: a thread that waits for its turn there has no frame of this
}

[[gnu::noinline]] void Engine::spin_or_step(SiteId site, ObjectId read, std::uint64_t value, bool may_switch) {
  if (!may_switch && !options_.serial) return;  // a serial execution may spin for ever, too
  if (!options_.planned && current_->spin.repeats(site, read, value)) [[unlikely]]
    return spin_point();
  if (may_switch) thread_point(Cost::preemption);
}

void Engine::tell_executed() {
  const Event& event = next_[current_->id];
  strategy_->executed(event);
  observer_->event(event);
}

void Engine::want_point(SiteId site) {
  if (!racy_sites_.insert(static_cast<std::uint32_t>(site))) return;
  result_.learned = true;
  end(Ending::abandoned);
}

/// For who watches: nothing is decided here.
void Engine::show(EventKind kind, std::uintptr_t address, SiteId site) {
  observer_->event(
      {.object = address, .site = site, .index = next_[current_->id].index, .thread = current_->id, .kind = kind});
}

/// A plain access that is known to race is a scheduling point.
void Engine::plain_point(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
  const auto low = static_cast<std::uint32_t>(site);
  const bool is_known = racy_sites_.contains(low);
  if (!is_known && !(is_watched_ && racy_sites_.contains(every_access))) return;
  if (!is_known || racy_sites_.is_only_shown(low)) {
    show(write ? EventKind::write : EventKind::read, address, site);
    return tell_plain_values(address, size, write);
  }
  if (write) {
    point(EventKind::write, address, site);
  } else {
    reading_point(EventKind::read, address, site, hash_bytes({reinterpret_cast<const std::byte*>(address), size}));
  }
  if (write) {
    reduction_.touches({.object = address, .size = static_cast<std::uint32_t>(size), .mode = AccessMode::write});
  } else {
    reduction_.reads(address, size, hash_bytes({reinterpret_cast<const std::byte*>(address), size}));
  }
  tell_plain_values(address, size, write);
}

void Engine::tell_plain_values(std::uintptr_t address, std::size_t size, bool write) {
  if (!is_watched_ || size > AccessValues::widest) return;
  AccessValues values{.object = address, .size = static_cast<std::uint8_t>(size)};
  values.deed = write ? AccessValues::Deed::write : AccessValues::Deed::read;
  std::memcpy(values.found.data(), reinterpret_cast<const void*>(address), size);
  tell_values(values);
}

}  // namespace muster
