#include "instrument/unwatched_call.hpp"

#include <unwind.h>

extern "C" bool muster_wide_registers;
bool muster_wide_registers = false;
bool muster_follows_calls = false;

namespace muster {

void find_wide_registers() { muster_wide_registers = __builtin_cpu_supports("avx"); }

/// An exception passes through the call: it is over.
extern "C" _Unwind_Reason_Code muster_unwind_unwatched(int, _Unwind_Action actions, std::uint64_t, _Unwind_Exception*,
                                                       _Unwind_Context* context) {
  if (actions & _UA_CLEANUP_PHASE) {
    constexpr int rbp = 6;
    const auto& registers = reinterpret_cast<const CallRegisters*>(_Unwind_GetGR(context, rbp))[-1];
    muster_leave_unwatched(*registers.function, registers);
  }
  return _URC_CONTINUE_UNWIND;
}

asm(R"(
  .pushsection .text
  .globl muster_call_unwatched
  .hidden muster_call_unwatched
  .hidden muster_wide_registers
  .hidden muster_follows_calls
  .hidden muster_unwind_unwatched
  .type muster_call_unwatched, @function
muster_call_unwatched:
  .cfi_startproc
  .cfi_personality 0x1b, muster_unwind_unwatched
  endbr64
  cmpb $0, muster_follows_calls(%rip)
  jne 10f
  # Nearly always there is nothing to tell: the function returns to its caller.
  pushq %rax
  .cfi_adjust_cfa_offset 8
  movq 8(%r11), %rax
  cmpb $0, (%rax)
  popq %rax
  .cfi_adjust_cfa_offset -8
  je 10f
  jmp *(%r11)
10:
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $352, %rsp
  movq %rdi, (%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movq %r10, 56(%rsp)
  movq %r11, 64(%rsp)
  cmpb $0, muster_wide_registers(%rip)
  jne 1f
  movaps %xmm0, 96(%rsp)
  movaps %xmm1, 128(%rsp)
  movaps %xmm2, 160(%rsp)
  movaps %xmm3, 192(%rsp)
  movaps %xmm4, 224(%rsp)
  movaps %xmm5, 256(%rsp)
  movaps %xmm6, 288(%rsp)
  movaps %xmm7, 320(%rsp)
  jmp 2f
1:
  vmovups %ymm0, 96(%rsp)
  vmovups %ymm1, 128(%rsp)
  vmovups %ymm2, 160(%rsp)
  vmovups %ymm3, 192(%rsp)
  vmovups %ymm4, 224(%rsp)
  vmovups %ymm5, 256(%rsp)
  vmovups %ymm6, 288(%rsp)
  vmovups %ymm7, 320(%rsp)
  vzeroupper
2:
  movq %r11, %rdi
  movq %rsp, %rsi
  call muster_enter_unwatched
  movq %rax, -280(%rbp)
  cmpq $-1, %rdx
  je 3f
  cmpq $-2, %rdx
  je 9f
  # What may be arguments on the caller's stack lies there for the function, too.
  movq %rdx, %rcx
  shrq $3, %rcx
  subq %rdx, %rsp
  leaq 16(%rbp), %rsi
  movq %rsp, %rdi
  rep movsq
3:
  cmpb $0, muster_wide_registers(%rip)
  jne 4f
  movaps -256(%rbp), %xmm0
  movaps -224(%rbp), %xmm1
  movaps -192(%rbp), %xmm2
  movaps -160(%rbp), %xmm3
  movaps -128(%rbp), %xmm4
  movaps -96(%rbp), %xmm5
  movaps -64(%rbp), %xmm6
  movaps -32(%rbp), %xmm7
  jmp 5f
4:
  vmovups -256(%rbp), %ymm0
  vmovups -224(%rbp), %ymm1
  vmovups -192(%rbp), %ymm2
  vmovups -160(%rbp), %ymm3
  vmovups -128(%rbp), %ymm4
  vmovups -96(%rbp), %ymm5
  vmovups -64(%rbp), %ymm6
  vmovups -32(%rbp), %ymm7
5:
  # Moves leave the flags of this comparison as they are.
  cmpq $-1, %rdx
  movq -352(%rbp), %rdi
  movq -344(%rbp), %rsi
  movq -336(%rbp), %rdx
  movq -328(%rbp), %rcx
  movq -320(%rbp), %r8
  movq -312(%rbp), %r9
  movq -304(%rbp), %rax
  movq -296(%rbp), %r10
  movq -280(%rbp), %r11
  je 8f
  call *%r11
  leaq -352(%rbp), %rsp
  movq %rax, 48(%rsp)
  movq %rdx, 80(%rsp)
  cmpb $0, muster_wide_registers(%rip)
  jne 6f
  movaps %xmm0, 96(%rsp)
  movaps %xmm1, 128(%rsp)
  movq 64(%rsp), %rdi
  movq %rsp, %rsi
  call muster_leave_unwatched
  movaps 96(%rsp), %xmm0
  movaps 128(%rsp), %xmm1
  jmp 7f
6:
  vmovups %ymm0, 96(%rsp)
  vmovups %ymm1, 128(%rsp)
  vzeroupper
  movq 64(%rsp), %rdi
  movq %rsp, %rsi
  call muster_leave_unwatched
  vmovups 96(%rsp), %ymm0
  vmovups 128(%rsp), %ymm1
7:
  movq 48(%rsp), %rax
  movq 80(%rsp), %rdx
  leave
  .cfi_remember_state
  .cfi_def_cfa %rsp, 8
  ret
8:
  .cfi_restore_state
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
9:
  .cfi_def_cfa %rbp, 16
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size muster_call_unwatched, .-muster_call_unwatched
  .popsection
)");

}  // namespace muster
