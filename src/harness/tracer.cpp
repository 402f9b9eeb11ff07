#include "harness/tracer.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <utility>

#include "runtime/sync.hpp"

namespace muster {
namespace {

struct Walk {
  const void* own_base;
  std::uint64_t* frames;
  unsigned count = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  Dl_info where;
  if (dladdr(reinterpret_cast<void*>(pc), &where) && where.dli_fbase == walk.own_base) return _URC_NO_REASON;
  walk.frames[walk.count++] = pc;
  return walk.count == traced_frames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

void Tracer::mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte>) noexcept {
  if (mark != Mark::ret) return;
  const bool was_controlled = std::exchange(controlled, false);
  TracedEvent traced{.event = {.object = operation, .site = 0, .index = 0, .thread = thread, .kind = EventKind::ret}};
  tell_(traced);
  controlled = was_controlled;
}

void Tracer::tell(const Event& event, bool blocked) noexcept {
  // Watching must not be watched: what this allocates and calls is not the program's.
  const bool was_controlled = std::exchange(controlled, false);
  TracedEvent traced{.event = event, .blocked = blocked};
  Dl_info own;
  dladdr(reinterpret_cast<void*>(&visit), &own);
  Walk walk{own.dli_fbase, traced.stack};
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
    if (const TestHeap::Block* block = engine_.heap().block_around(event.object)) {
      const auto header = reinterpret_cast<std::uint64_t>(block);
      traced.block = blocks_.try_emplace(header, static_cast<std::uint32_t>(blocks_.size() + 1)).first->second;
      traced.block_offset = static_cast<std::uint32_t>(event.object - header - sizeof(*block));
      traced.block_site = block->site;
    }
  } else if (Arena::contains(event.object)) {
    traced.stack_of =
        static_cast<ThreadId>((event.object - reinterpret_cast<std::uintptr_t>(Arena::stacks())) / Arena::stack_size);
  }
  if (event.kind == EventKind::lock || event.kind == EventKind::try_lock || event.kind == EventKind::lock_shared)
    traced.owner = sync::owner(event.object);
}

}  // namespace muster
