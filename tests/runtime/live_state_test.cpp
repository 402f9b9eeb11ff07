#include "runtime/live_state.hpp"

#include <gtest/gtest.h>

// Places in code that is never run. `.intel_syntax`, because that is how manuals write it.
asm(R"(
.intel_syntax noprefix
.text
muster_test_overwritten:   # r15 is written before it is read again, r14 is read
  mov r15, [r14]
  mov rax, r15
muster_test_restored:      # all are restored for the caller
  pop rbx
  pop r12
  pop r13
  pop r14
  pop r15
  pop rbp
  ret
muster_test_callers:       # what is not restored is the caller's
  pop r15
  ret
muster_test_branch:        # r13 is read on one way only, r12 in the next turn of the loop
  test al, al
  jne muster_test_branch_other
  mov r13d, 1
  jmp muster_test_restored
muster_test_branch_other:
  mov rax, r13
  cmp r12, rax
  jne muster_test_branch
  jmp muster_test_restored
muster_test_partly:        # half of rbx stays; clearing reads nothing; a call preserves them all
  mov bx, 1
  xor r12d, r12d
  call muster_test_restored
  mov rax, rbx
  mov rax, r12
  jmp muster_test_restored
muster_test_conditional:   # may leave r14 as it was
  cmovne r14, rax
  jmp muster_test_restored
muster_test_function:      # a loop over two variables; the address of one is kept in a register
  push rbp
  mov rbp, rsp
  push r12
  lea r12, [rbp-0x18]
  sub rsp, 0x28
  mov [rbp-0x28], rdi
muster_test_loop:
  mov rdi, [rbp-0x28]
  call muster_test_callers # reads something
muster_test_read:          # here both are dead, what was given is not
  mov rdi, r12
  mov rbx, rax
  call muster_test_write_hook
  mov [rbp-0x18], rbx
  mov [rbp-0x20], ebx
  mov rdi, [rbp-0x28]
  mov rsi, r12
  call muster_test_exchange_hook
  test al, al
  je muster_test_loop
muster_test_after:         # here the first one is read by its hook
  lea rdi, [rbp-0x20]
  call muster_test_read_hook
  mov eax, [rbp-0x20]
  add rsp, 0x28
  pop r12
  pop rbp
  ret
muster_test_exposing:      # the same, but the address of what lies lower goes where nobody sees it
  push rbp
  mov rbp, rsp
  sub rsp, 0x20
  lea rax, [rbp-0x20]
  mov [rdi], rax
  call muster_test_callers
muster_test_exposed:
  mov qword ptr [rbp-0x10], 1
  mov rax, [rbp-0x10]
  leave
  ret
muster_test_copying:       # an address that is for a hook is kept as well
  push rbp
  mov rbp, rsp
  sub rsp, 0x10
  lea rdi, [rbp-0x10]
  mov [rbx], rdi
  call muster_test_write_hook
muster_test_copied:
  mov qword ptr [rbp-0x10], 1
  mov rax, [rbp-0x10]
  leave
  ret
muster_test_partial:       # half of a variable is written, and then all of it is read
  push rbp
  mov rbp, rsp
  sub rsp, 0x10
  call muster_test_callers
muster_test_half:
  mov dword ptr [rbp-0x10], 1
  mov rax, [rbp-0x10]
  mov qword ptr [rbp-0x8], 1
  mov rax, [rbp-0x8]
  leave
  ret
muster_test_read_hook:
  ret
muster_test_write_hook:
  nop
  ret
muster_test_exchange_hook:
  ret
muster_test_unknown:       # leads anywhere
  jmp rax
.att_syntax
)");

extern "C" const char muster_test_overwritten[], muster_test_restored[], muster_test_callers[], muster_test_branch[],
    muster_test_partly[], muster_test_conditional[], muster_test_unknown[], muster_test_function[], muster_test_read[],
    muster_test_after[], muster_test_exposing[], muster_test_exposed[], muster_test_copying[], muster_test_copied[],
    muster_test_partial[], muster_test_half[], muster_test_read_hook[], muster_test_write_hook[],
    muster_test_exchange_hook[];

namespace muster {
namespace {

constexpr PreservedRegisters rbx = 1, rbp = 2, r12 = 4, r13 = 8, r14 = 16;

unsigned live_at(const char* place) { return live_state(reinterpret_cast<std::uintptr_t>(place), 0).registers; }

TEST(LiveState, HasRegistersThatAreReadBeforeTheyAreWritten) {
  EXPECT_EQ(live_at(muster_test_overwritten), r14);
  EXPECT_EQ(live_at(muster_test_restored), 0u);
  EXPECT_EQ(live_at(muster_test_branch), unsigned{r12 | r13});
}

TEST(LiveState, HasRegistersOfTheCaller) {
  EXPECT_EQ(live_at(muster_test_callers), unsigned{rbx | rbp | r12 | r13 | r14});
}

TEST(LiveState, HasRegistersWrittenInPartOrPerhaps) {
  EXPECT_EQ(live_at(muster_test_partly), rbx);
  EXPECT_EQ(live_at(muster_test_conditional), r14);
}

std::vector<FrameSlot> dead_at(const char* place, const char* function) {
  const AccessHook hooks[] = {{AccessHook::Kind::read, muster_test_read_hook, 4},
                              {AccessHook::Kind::write, muster_test_write_hook, 8},
                              {AccessHook::Kind::compare_exchange, muster_test_exchange_hook, 8}};
  know_access_hooks(hooks);
  return live_state(reinterpret_cast<std::uintptr_t>(place), reinterpret_cast<std::uintptr_t>(function)).dead;
}

TEST(LiveState, LeavesOutVariablesThatAreWrittenBeforeTheyAreRead) {
  EXPECT_EQ(dead_at(muster_test_read, muster_test_function), (std::vector<FrameSlot>{{-0x20, 4}, {-0x18, 8}}));
  EXPECT_EQ(dead_at(muster_test_after, muster_test_function), (std::vector<FrameSlot>{{-0x28, 8}, {-0x18, 8}}));
}

TEST(LiveState, KeepsVariablesThatOthersMayReachOrThatAreWrittenInPart) {
  EXPECT_EQ(dead_at(muster_test_exposed, muster_test_exposing), std::vector<FrameSlot>{});
  EXPECT_EQ(dead_at(muster_test_copied, muster_test_copying), std::vector<FrameSlot>{});
  EXPECT_EQ(dead_at(muster_test_half, muster_test_partial), (std::vector<FrameSlot>{{-0x8, 8}}));
}

TEST(LiveState, KeepsEverythingOfAFunctionThatItDoesNotKnow) {
  EXPECT_EQ(dead_at(muster_test_read + 3, nullptr), std::vector<FrameSlot>{});
}

TEST(LiveState, HasAllRegistersWhereTheWayIsNotKnown) {
  EXPECT_EQ(live_at(muster_test_unknown), unsigned{every_preserved_register});
}

}  // namespace
}  // namespace muster
