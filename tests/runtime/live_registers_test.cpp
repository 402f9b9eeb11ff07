#include "runtime/live_registers.hpp"

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
muster_test_unknown:       # leads anywhere
  jmp rax
.att_syntax
)");

extern "C" const char muster_test_overwritten[], muster_test_restored[], muster_test_callers[], muster_test_branch[], muster_test_partly[],
    muster_test_conditional[], muster_test_unknown[];

namespace muster {
namespace {

constexpr PreservedRegisters rbx = 1, rbp = 2, r12 = 4, r13 = 8, r14 = 16;

unsigned live_at(const char* place) { return live_registers(reinterpret_cast<std::uintptr_t>(place)); }

TEST(LiveRegisters, AreThoseReadBeforeTheyAreWritten) {
  EXPECT_EQ(live_at(muster_test_overwritten), r14);
  EXPECT_EQ(live_at(muster_test_restored), 0u);
  EXPECT_EQ(live_at(muster_test_branch), unsigned{r12 | r13});
}

TEST(LiveRegisters, OfTheCallerStayLive) { EXPECT_EQ(live_at(muster_test_callers), unsigned{rbx | rbp | r12 | r13 | r14}); }

TEST(LiveRegisters, WrittenInPartOrPerhapsAreNotDead) {
  EXPECT_EQ(live_at(muster_test_partly), rbx);
  EXPECT_EQ(live_at(muster_test_conditional), r14);
}

TEST(LiveRegisters, AreAllWhereTheWayIsNotKnown) {
  EXPECT_EQ(live_at(muster_test_unknown), unsigned{every_preserved_register});
}

}  // namespace
}  // namespace muster
