// Jumps that put back which signals are blocked. The C library keeps what the kernel blocks, which is the same for all
// model threads; what the running thread blocks is kept beside it, in the same buffer, where the kernel writes nothing.

#include <setjmp.h>

#include <cstdint>

#include "instrument/hook.hpp"
#include "instrument/signals.hpp"

namespace muster {
namespace {

constexpr std::uint64_t mark = 0x6d7573746572;  // before it, a buffer that was filled outside control
std::uint64_t& kept_mark(__jmp_buf_tag* place) { return place->__saved_mask.__val[14]; }
std::uint64_t& kept_signals(__jmp_buf_tag* place) { return place->__saved_mask.__val[15]; }

using SetJump = int(__jmp_buf_tag*, int);

}  // namespace

/// Returns the function that fills the buffer.
extern "C" __attribute__((visibility("hidden"))) SetJump* muster_before_setjmp(__jmp_buf_tag* place,
                                                                               int saves_signals) {
  static SetJump* const real = next_named<SetJump>("__sigsetjmp");
  if (controlled && saves_signals) {
    kept_mark(place) = mark;
    kept_signals(place) = blocked_signals();
  }
  return real;
}

// What fills the buffer must be called by the program itself: it keeps its caller's registers.
asm(R"(
  .pushsection .text
  .globl __sigsetjmp
  .type __sigsetjmp, @function
__sigsetjmp:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call muster_before_setjmp
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  jmp *%rax
  .cfi_endproc
  .size __sigsetjmp, .-__sigsetjmp
  .popsection
)");

namespace {

void put_back_signals(__jmp_buf_tag* place, SiteId site) {
  if (controlled && place->__mask_was_saved && kept_mark(place) == mark) block_only(kept_signals(place), site);
}

}  // namespace

#define MUSTER_JUMP(name)                                           \
  MUSTER_HOOK void name(__jmp_buf_tag* place, int value) noexcept { \
    put_back_signals(place, MUSTER_SITE);                           \
    MUSTER_REAL(name)(place, value);                                \
    __builtin_unreachable();                                        \
  }
MUSTER_JUMP(longjmp)
MUSTER_JUMP(_longjmp)
MUSTER_JUMP(siglongjmp)

}  // namespace muster
