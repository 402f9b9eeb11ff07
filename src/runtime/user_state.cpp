#include "runtime/user_state.hpp"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/hash.hpp"
#include "runtime/engine.hpp"
#include "runtime/live_state.hpp"

namespace muster {
namespace {

/// Where the code of this library lies.
struct OwnCode {
  std::uintptr_t low = 0, high = 0;

  static int visit(dl_phdr_info* module, std::size_t, void* argument) {
    OwnCode found;
    for (const ElfW(Phdr)& part : std::span(module->dlpi_phdr, module->dlpi_phnum)) {
      if (part.p_type != PT_LOAD) continue;
      const std::uintptr_t begin = module->dlpi_addr + part.p_vaddr;
      found.low = found.high == 0 ? begin : std::min(found.low, begin);
      found.high = std::max(found.high, begin + part.p_memsz);
    }
    if (!found.contains(reinterpret_cast<std::uintptr_t>(&user_state_hash))) return 0;
    *static_cast<OwnCode*>(argument) = found;
    return 1;
  }
  static OwnCode look() {
    OwnCode own;
    dl_iterate_phdr(visit, &own);
    return own;
  }
  bool contains(std::uintptr_t pc) const { return low <= pc && pc < high; }
};

struct Search {
  OwnCode own;
  std::uint64_t hash = 0;
  std::uintptr_t stack = 0;
  std::uintptr_t frame = 0;  // where its frame pointer points, if it has one
  const LiveState* live = nullptr;
};

// The first frame that is not ours is user code waiting for a hook to return: only callee-saved registers can still matter to it.
_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (pc == 0) return _URC_END_OF_STACK;
  if (search.own.contains(pc)) return _URC_NO_REASON;
  search.hash = pc;
  // A handler of this very function may read what the rest of it does not.
  static const LiveState everything;
  const bool handles = _Unwind_GetLanguageSpecificData(context) != nullptr;
  search.live = handles ? &everything : &live_state(pc, _Unwind_GetRegionStart(context));
  search.frame = _Unwind_GetGR(context, 6);
  PreservedRegisters live = search.live->registers;
  for (const int reg : {3 /*rbx*/, 6 /*rbp*/, 12, 13, 14, 15}) {
    if (live & 1) search.hash = mix(search.hash, _Unwind_GetGR(context, reg));
    live >>= 1;
  }
  search.stack = _Unwind_GetCFA(context);
  return _URC_END_OF_STACK;
}

}  // namespace

std::uint64_t user_state_hash(const Context& context) {
  const OwnWork work;  // the unwinder's own initialisation is not the program's
  static const OwnCode own = OwnCode::look();
  Search search{own};
  _Unwind_Backtrace(visit, &search);
  if (search.stack == 0) return context.thread_locals_hash();  // between two operations: no user code is under way
  std::uint64_t hash = mix(search.hash, search.stack);
  const auto* at = reinterpret_cast<const std::byte*>(search.stack);
  const auto add_up_to = [&](const std::byte* end) {
    if (at < end) hash = mix(hash, hash_bytes({at, end}));
  };
  for (const FrameSlot& slot : search.live->dead) {
    const auto* const begin = reinterpret_cast<const std::byte*>(search.frame + static_cast<std::uintptr_t>(slot.offset));
    if (begin < at || begin >= context.stack_high()) continue;
    add_up_to(begin);
    at = begin + slot.size;
  }
  add_up_to(context.stack_high());
  return mix(hash, context.thread_locals_hash());
}

}  // namespace muster
