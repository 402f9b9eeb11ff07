#include "runtime/user_state.hpp"

#include <unwind.h>

#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "runtime/engine.hpp"
#include "runtime/live_state.hpp"
#include "runtime/own_frames.hpp"
#include "runtime/waiting_loop.hpp"

namespace muster {
namespace {

/// What matters where a caller goes on, looked at closely only where that is asked.
struct Place {
  std::uintptr_t function;
  bool handles;  // exceptions
  const LiveState* live;
  std::optional<LiveState> decides, decides_to_the_end;
};

/// For the places that the unwinder was at.
std::unordered_map<std::uintptr_t, Place>& live_places() {
  static std::unordered_map<std::uintptr_t, Place> places;
  return places;
}

const LiveState& state_at(std::uintptr_t pc, Lens lens) {
  Place& place = live_places().at(pc);
  // What is read after an exception that the function handles is not followed.
  if (lens == Lens::all || (lens == Lens::this_loop_and_after && place.handles)) return *place.live;
  const bool to_the_end = lens == Lens::this_loop_and_after;
  std::optional<LiveState>& state = to_the_end ? place.decides_to_the_end : place.decides;
  if (!state) state = deciding_state(pc, place.function, *place.live, to_the_end);
  return *state;
}

struct Search {
  const OwnFrames& own;
  Caller caller;
};

// The first frame that is not ours is user code waiting for a hook to return: only callee-saved registers can still
// matter to it.
_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  if (search.own.contains(pc)) return _URC_NO_REASON;
  Caller& caller = search.caller;
  caller.pc = pc;
  caller.stack = _Unwind_GetCFA(context);
  unsigned i = 0;
  for (const int reg : {3 /*rbx*/, 6 /*rbp*/, 12, 13, 14, 15}) caller.preserved[i++] = _Unwind_GetGR(context, reg);
  // A handler of this very function may read what the rest of it does not.
  static const LiveState everything;
  const bool handles = _Unwind_GetLanguageSpecificData(context) != nullptr;
  const std::uintptr_t function = _Unwind_GetRegionStart(context);
  live_places()[pc] = {function, handles, handles ? &everything : &live_state(pc, function), {}, {}};
  return _URC_END_OF_STACK;
}

Caller find_caller() {
  static OwnFrames own;
  Caller caller;
  const OwnFrames::Way way = own.leave(caller);
  if (way == OwnFrames::Way::known && (caller.pc == 0 || live_places().contains(caller.pc))) return caller;
  Search search{own, {}};
  _Unwind_Backtrace(visit, &search);
  const bool same = caller.pc == 0 ? search.caller.pc == 0 : caller == search.caller;
  if (way != OwnFrames::Way::none && !same) own.distrust();
  return search.caller;
}

}  // namespace

std::uint64_t user_state_hash(const Context& context, Lens lens) {
  const OwnWork work;  // the unwinder's own initialisation is not the program's
  const Caller caller = find_caller();
  if (caller.pc == 0) return context.thread_locals_hash();  // between two operations: no user code is under way
  const LiveState& live = state_at(caller.pc, lens);
  std::uint64_t hash = caller.pc;
  for (unsigned i = 0; i < preserved_register_count; ++i) {
    if (live.registers >> i & 1) hash = mix(hash, caller.preserved[i]);
  }
  hash = mix(hash, caller.stack);
  const auto* at = reinterpret_cast<const std::byte*>(caller.stack);
  const auto add_up_to = [&](const std::byte* end) {
    if (at < end) hash = mix(hash, hash_bytes({at, end}));
  };
  for (const FrameSlot& slot : live.dead) {
    const auto* const begin =
        reinterpret_cast<const std::byte*>(caller.preserved[frame_pointer] + static_cast<std::uintptr_t>(slot.offset));
    if (begin < at || begin >= context.stack_high()) continue;
    add_up_to(begin);
    at = begin + slot.size;
  }
  add_up_to(context.stack_high());
  return mix(hash, context.thread_locals_hash());
}

}  // namespace muster
