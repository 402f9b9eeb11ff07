#include "harness/tracer.hpp"

#include <dlfcn.h>
#include <unwind.h>

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

}  // namespace

void append(std::vector<TracedEvent>& events, const TracedEvent& told) {
  if (!told.amends) return events.push_back(told);
  if (events.empty()) return;
  events.back().newer_by = told.newer_by;
  events.back().newer_at = told.newer_at;
}

void Tracer::older_value(ThreadId thread, ThreadId newer_by, std::uint32_t newer_at) noexcept {
  const bool was_controlled = std::exchange(controlled, false);
  TracedEvent traced{.event = {}, .newer_by = newer_by, .newer_at = newer_at, .amends = true};
  traced.event.thread = thread;
  tell_(traced);
  controlled = was_controlled;
}

void Tracer::mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept {
  const bool told_as_event = mark == Mark::call && !engine_.reduction().reducing();
  if (mark == Mark::signal || told_as_event) return;
  const bool was_controlled = std::exchange(controlled, false);
  const EventKind kind = mark == Mark::call ? EventKind::call : EventKind::ret;
  TracedEvent traced{.event = {.object = operation, .site = 0, .index = 0, .thread = thread, .kind = kind},
                     .preemptions = engine_.preemptions()};
  keep_answer(traced, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  tell_(traced);
  controlled = was_controlled;
}

void Tracer::tell(const Event& event, bool blocked) noexcept {
  // Watching must not be watched: what this allocates and calls is not the program's.
  const bool was_controlled = std::exchange(controlled, false);
  TracedEvent traced{.event = event, .preemptions = engine_.preemptions(), .blocked = blocked};
  Dl_info own;
  dladdr(reinterpret_cast<void*>(&visit), &own);
  std::vector<TracedFrame>& frames = frames_[event.thread];
  frames.clear();
  Walk walk{own.dli_fbase, traced.stack, frames};
  _Unwind_Backtrace(visit, &walk);
  locate(traced);
  const std::uint64_t me = std::uint64_t{1} << event.thread;
  told_blocked_ = blocked ? told_blocked_ | me : told_blocked_ & ~me;
  tell_(traced);
  controlled = was_controlled;
}

void Tracer::tell_blocked() {
  for (unsigned i = 0; i < engine_.thread_count(); ++i) {
    const Thread& t = engine_.thread(static_cast<ThreadId>(i));
    if (t.status != Thread::Status::blocked || t.blocked_site == 0 || (told_blocked_ >> i & 1)) continue;
    TracedEvent traced{.event = {.object = t.blocked_on, .site = 0, .index = 0, .thread = t.id, .kind = t.blocked_as},
                       .blocked = true};
    traced.stack[0] = t.blocked_site;
    locate(traced);
    tell_(traced);
  }
}

void Tracer::locate(TracedEvent& traced) {
  const Event& event = traced.event;
  if (Arena::in_heap(event.object)) {
    if (const TestHeap::Block* block = engine_.heap().blocks().block_around(event.object)) {
      const auto header = reinterpret_cast<std::uint64_t>(block);
      traced.block = blocks_.try_emplace(header, static_cast<std::uint32_t>(blocks_.size() + 1)).first->second;
      traced.block_offset = static_cast<std::uint32_t>(event.object - header - sizeof(*block));
      traced.block_site = block->site;
    }
  } else if (Arena::contains(event.object)) {
    traced.stack_of =
        static_cast<ThreadId>((event.object - reinterpret_cast<std::uintptr_t>(Arena::stacks())) / Arena::stack_size);
    locate_frame(traced);
  }
  if (event.kind == EventKind::lock || event.kind == EventKind::try_lock || event.kind == EventKind::lock_shared)
    traced.owner = sync::owner(event.object);
}

/// A thread that shares a variable of its own tells others where it lies, and is heard of when it does: so the frames
/// it had then are those that count.
void Tracer::locate_frame(TracedEvent& traced) const {
  const auto frames = frames_.find(traced.stack_of);
  if (frames == frames_.end()) return;
  for (const TracedFrame& frame : frames->second) {
    if (traced.event.object < frame.low || traced.event.object >= frame.high) continue;
    traced.frame_code = frame.code;
    traced.from_frame = static_cast<std::int64_t>(traced.event.object - frame.high);
  }
}

}  // namespace muster
