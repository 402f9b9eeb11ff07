#include "harness/steps/tracer.hpp"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include <bit>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/sync.hpp"

namespace muster {
namespace {

constexpr std::size_t most_frames = 64;

struct Walk {
  const void* own_base;
  std::uint64_t* stack;
  std::vector<TracedFrame>& frames;
  unsigned count = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  Dl_info where;
  // What the unwinder calls the canonical address of a frame is its callee's: its own comes with the next.
  const std::uint64_t low = _Unwind_GetCFA(context);
  if (!walk.frames.empty()) walk.frames.back().high = low;
  walk.frames.push_back({pc, low, 0});
  const bool own = dladdr(reinterpret_cast<void*>(pc), &where) && where.dli_fbase == walk.own_base;
  if (!own && walk.count < traced_frames) walk.stack[walk.count++] = pc;
  return walk.frames.size() == most_frames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void keep_answer(TracedEvent& traced, std::string_view answer) {
  constexpr std::string_view more = "…";
  if (answer.size() < sizeof traced.answer) {
    answer.copy(traced.answer, answer.size());
    return;
  }
  std::size_t size = sizeof traced.answer - 1 - more.size();
  while (size > 0 && (static_cast<unsigned char>(answer[size]) & 0xc0) == 0x80) --size;  // not inside a character
  answer.copy(traced.answer, size);
  more.copy(traced.answer + size, more.size());
}

bool is_on_stack(std::uint64_t address) { return Arena::contains(address) && !Arena::in_heap(address); }

}  // namespace

void Tracer::mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept {
  const bool told_as_event = mark == Mark::call && !engine_.reduction().reducing();
  if (mark == Mark::signal || told_as_event) return;
  const bool was_controlled = std::exchange(controlled, false);
  const EventKind kind = mark == Mark::call ? EventKind::call : EventKind::ret;
  TracedEvent traced{.event = {.object = operation, .site = 0, .index = 0, .thread = thread, .kind = kind},
                     .preemptions = engine_.preemptions()};
  keep_answer(traced, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  tell_write();
  reader_.event(traced);
  controlled = was_controlled;
}

void Tracer::values(const AccessValues& values) noexcept {
  if (!has_values_) return;
  const bool was_controlled = std::exchange(controlled, false);
  if (values.deed != AccessValues::Deed::write)
    tell_values(values);
  else if (!sync::knows(values.object))  // to destroy a mutex is a write, but it writes nothing that could be told
    write_ = values;
  controlled = was_controlled;
}

void Tracer::fails_spuriously() noexcept {
  const bool was_controlled = std::exchange(controlled, false);
  reader_.fails_spuriously();
  controlled = was_controlled;
}

/// Whoever ran last woke those that can go on since.
void Tracer::note_wakers() {
  for (std::uint64_t mask = told_blocked_; mask; mask &= mask - 1) {
    const auto id = static_cast<ThreadId>(std::countr_zero(mask));
    Sleeper& sleeper = sleepers_[id];
    if (engine_.thread(id).unblocked == sleeper.unblocked) continue;
    sleeper = {engine_.thread(id).unblocked, last_};
  }
}

void Tracer::tell_waking(TracedEvent& traced) {
  const Thread& thread = engine_.thread(traced.event.thread);
  Sleeper& sleeper = sleepers_[thread.id];
  const bool was_blocked = told_blocked_ >> thread.id & 1;
  if (traced.blocked) {
    traced.timed = thread.timed;
    sleeper = {thread.unblocked, no_thread};
  } else if (was_blocked) {
    traced.expired = thread.expired;
    if (!thread.expired) traced.woken_by = sleeper.woken_by;
  }
  const EventKind kind = traced.event.kind;
  if (kind == EventKind::notify_one || kind == EventKind::notify_all || kind == EventKind::futex_wake)
    traced.wakes_nobody = sync::waiting(traced.event.object) == 0;
}

/// Of a variable on a stack that nobody was seen to write, which may begin with what lay there before: addresses, or
/// halves of them, which differ from process to process and are large. Atomics are initialised.
bool Tracer::finds_leftovers(const AccessValues& values) const {
  constexpr std::uint64_t least_address = 0x1000;
  const bool plain = values.deed == AccessValues::Deed::read || values.deed == AccessValues::Deed::write;
  if (!plain || !is_on_stack(values.object) || values.found[0] < least_address) return false;
  const auto first = written_.lower_bound(values.object);
  return std::distance(first, written_.lower_bound(values.object + values.size)) != values.size;
}

void Tracer::tell_values(const AccessValues& values) {
  reader_.values({.found = locate(values.found),
                  .left = locate(values.left),
                  .wanted = locate(values.wanted),
                  .newest = locate(values.missed.value),
                  .missed = values.missed,
                  .size = values.size,
                  .deed = values.deed,
                  .finds_leftovers = finds_leftovers(values)});
  if (values.deed == AccessValues::Deed::read || !is_on_stack(values.object)) return;
  for (std::uint64_t byte = values.object; byte < values.object + values.size; ++byte) written_.insert(byte);
}

/// Nothing else has run since.
void Tracer::tell_write() {
  if (write_.deed == AccessValues::Deed::none) return;
  const iovec from{reinterpret_cast<void*>(write_.object), write_.size}, to{write_.left.data(), write_.size};
  // The memory may have been unmapped meanwhile.
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == write_.size) tell_values(write_);
  write_ = {};
}

bool Tracer::is_aside(const Event& event) const {
  const bool is_plain = event.kind == EventKind::read || event.kind == EventKind::write;
  return is_plain && !points_.contains(static_cast<std::uint32_t>(event.site));
}

void Tracer::tell(const Event& event, bool blocked) noexcept {
  const bool aside = !blocked && is_aside(event);
  // Of a variable that nobody else sees, only the place is of use.
  const bool is_private = aside && engine_.races().is_private(event.object);
  const bool is_too_much = aside && asides_++ >= most_asides;
  has_values_ = !is_private && !is_too_much;
  if (is_too_much) return;
  // Watching must not be watched: what this allocates and calls is not the program's.
  const bool was_controlled = std::exchange(controlled, false);
  tell_write();
  TracedEvent traced{.event = event, .preemptions = engine_.preemptions(), .aside = aside, .blocked = blocked};
  Dl_info own;
  dladdr(reinterpret_cast<void*>(&visit), &own);
  std::vector<TracedFrame>& frames = frames_[event.thread];
  frames.clear();
  Walk walk{own.dli_fbase, traced.stack, frames};
  _Unwind_Backtrace(visit, &walk);
  if (!is_private) finish(traced);
  if (!aside) {
    note_wakers();
    tell_waking(traced);
    const std::uint64_t me = std::uint64_t{1} << event.thread;
    last_ = event.thread;
    told_blocked_ = blocked ? told_blocked_ | me : told_blocked_ & ~me;
  }
  reader_.event(traced);
  controlled = was_controlled;
}

void Tracer::tell_blocked() {
  // A write that is the last event need not have been made: the execution may have ended there.
  for (unsigned i = 0; i < engine_.thread_count(); ++i) {
    const Thread& t = engine_.thread(static_cast<ThreadId>(i));
    if (t.status != Thread::Status::blocked || t.blocked_site == 0 || (told_blocked_ >> i & 1)) continue;
    TracedEvent traced{.event = {.object = t.blocked_on, .site = 0, .index = 0, .thread = t.id, .kind = t.blocked_as},
                       .blocked = true};
    traced.stack[0] = t.blocked_site;
    finish(traced);
    reader_.event(traced);
  }
}

void Tracer::finish(TracedEvent& traced) {
  const Event& event = traced.event;
  traced.location = locate(event.object);
  if (event.kind == EventKind::lock || event.kind == EventKind::try_lock || event.kind == EventKind::lock_shared)
    traced.owner = sync::owner(event.object);
}

Location Tracer::locate(std::uint64_t address) {
  Location location{.address = address};
  if (Arena::in_heap(address)) {
    if (const TestHeap::Block* block = engine_.heap().blocks().block_around(address)) {
      const auto header = reinterpret_cast<std::uint64_t>(block);
      location.block = blocks_.try_emplace(header, static_cast<std::uint32_t>(blocks_.size() + 1)).first->second;
      location.block_offset = static_cast<std::uint32_t>(address - header - sizeof(*block));
      location.block_site = block->site;
    }
  } else if (Arena::contains(address)) {
    location.stack_of =
        static_cast<ThreadId>((address - reinterpret_cast<std::uintptr_t>(Arena::stacks())) / Arena::stack_size);
    locate_frame(location);
  }
  return location;
}

/// Marks are kept in the lowest bits of an address, which its alignment leaves free, or above those that are used.
TracedValues::Value Tracer::locate(const AccessValues::Word& words) {
  constexpr std::uint64_t address_bits = 0x0000'ffff'ffff'fff8;
  TracedValues::Value value{.words = words};
  for (std::size_t i = 0; i < words.size(); ++i) {
    value.at[i] = locate(words[i] & address_bits);
  }
  return value;
}

/// A thread that shares a variable of its own tells others where it lies, and is heard of when it does: so the frames
/// it had then are those that count.
void Tracer::locate_frame(Location& location) const {
  const auto frames = frames_.find(location.stack_of);
  if (frames == frames_.end()) return;
  for (const TracedFrame& frame : frames->second) {
    if (location.address < frame.low || location.address >= frame.high) continue;
    location.frame_code = frame.code;
    location.from_frame = static_cast<std::int64_t>(location.address - frame.high);
  }
}

}  // namespace muster
