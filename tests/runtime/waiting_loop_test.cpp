#include "runtime/waiting_loop.hpp"

#include <gtest/gtest.h>

// Loops in code that is never run.
asm(R"(
.intel_syntax noprefix
.text
muster_test_yields:
  ret
muster_test_looks:
  ret
muster_test_counting:      # waits for al, counts in rbx, and yields when rbx is large; r12 is where it looks
  push rbp
  mov rbp, rsp
  push r12
  push rbx
  xor ebx, ebx
  jmp muster_test_counting_look
muster_test_counting_again:
  add ebx, 1
muster_test_counting_look:
  mov rdi, r12
  mov esi, 5
  call muster_test_looks
muster_test_counting_here:
  test al, al
  jne muster_test_counting_end
  cmp ebx, 6
  jle muster_test_counting_again
  call muster_test_yields
muster_test_counting_yielded:
  jmp muster_test_counting_again
muster_test_counting_end:
  pop rbx
  pop r12
  pop rbp
  ret
muster_test_telling:       # gives back how often it looked, in rbx
  call muster_test_looks
muster_test_telling_here:
  add ebx, 1
  test al, al
  je muster_test_telling
  mov eax, ebx
  pop rbx
  ret
muster_test_limited:       # gives up when rbx is large
  call muster_test_looks
muster_test_limited_here:
  test al, al
  jne muster_test_limited_end
  add ebx, 1
  cmp ebx, 100
  jne muster_test_limited
muster_test_limited_end:
  pop rbx
  ret
muster_test_walking:       # looks at one place after the other, at rbx
  mov rdi, rbx
  call muster_test_looks
muster_test_walking_here:
  add rbx, 8
  test al, al
  je muster_test_walking
  pop rbx
  ret
muster_test_choosing:      # what it looks for, in r13, depends on a count in rbx
  mov rdi, r12
  call muster_test_looks
muster_test_choosing_here:
  add ebx, 1
  cmp ebx, 6
  jle muster_test_choosing_small
  mov r13d, 1
muster_test_choosing_small:
  cmp eax, r13d
  jne muster_test_choosing
  pop rbx
  ret
muster_test_writing:       # leaves its count in memory
  call muster_test_looks
muster_test_writing_here:
  add ebx, 1
  mov [r12], ebx
  test al, al
  je muster_test_writing
  pop rbx
  ret
muster_test_calling:       # calls what nobody knows if the count in rbx is large
  call muster_test_looks
muster_test_calling_here:
  test al, al
  jne muster_test_calling_end
  add ebx, 1
  cmp ebx, 6
  jle muster_test_calling
  call muster_test_counting
  jmp muster_test_calling
muster_test_calling_end:
  pop rbx
  ret
.att_syntax
)");

extern "C" {
extern const char muster_test_yields[], muster_test_looks[];
extern const char muster_test_counting[], muster_test_counting_here[], muster_test_counting_yielded[],
    muster_test_telling[], muster_test_telling_here[], muster_test_limited[], muster_test_limited_here[],
    muster_test_walking[], muster_test_walking_here[], muster_test_choosing[], muster_test_choosing_here[],
    muster_test_writing[], muster_test_writing_here[], muster_test_calling[], muster_test_calling_here[];
}

namespace muster {
namespace {

constexpr unsigned in_rbx = 1, in_r12 = 4, in_r13 = 8;

/// Of these three, those that decide something.
unsigned deciding(const char* function, const char* here, bool to_the_end = false) {
  const PlainCall calls[] = {{muster_test_yields, 0}, {muster_test_looks, 2}};
  know_plain_calls(calls);
  const LiveState all;
  const LiveState state = deciding_state(reinterpret_cast<std::uintptr_t>(here),
                                         reinterpret_cast<std::uintptr_t>(function), all, to_the_end);
  return state.registers & (in_rbx | in_r12 | in_r13);
}

TEST(WaitingLoop, ACountThatOnlyChoosesWhenToYieldDecidesNothing) {
  EXPECT_EQ(deciding(muster_test_counting, muster_test_counting_here), in_r12);
  EXPECT_EQ(deciding(muster_test_counting, muster_test_counting_yielded), in_r12);
  EXPECT_EQ(deciding(muster_test_counting, muster_test_counting_here, true) & in_rbx, 0u);
}

TEST(WaitingLoop, ACountThatIsToldAfterwardsCountsOnlyThere) {
  EXPECT_EQ(deciding(muster_test_telling, muster_test_telling_here) & in_rbx, 0u);
  EXPECT_EQ(deciding(muster_test_telling, muster_test_telling_here, true) & in_rbx, in_rbx);
}

TEST(WaitingLoop, ACountThatEndsTheLoopDecides) {
  EXPECT_EQ(deciding(muster_test_limited, muster_test_limited_here) & in_rbx, in_rbx);
}

TEST(WaitingLoop, WhereToLookDecides) {
  EXPECT_EQ(deciding(muster_test_walking, muster_test_walking_here) & in_rbx, in_rbx);
}

TEST(WaitingLoop, WhatChoosesWhatTheEndDependsOnDecides) {
  EXPECT_EQ(deciding(muster_test_choosing, muster_test_choosing_here) & (in_rbx | in_r13), in_rbx | in_r13);
}

TEST(WaitingLoop, WhatIsWrittenDecides) {
  EXPECT_EQ(deciding(muster_test_writing, muster_test_writing_here) & in_rbx, in_rbx);
}

TEST(WaitingLoop, WhetherSomethingUnknownIsCalledDecides) {
  EXPECT_EQ(deciding(muster_test_calling, muster_test_calling_here) & in_rbx, in_rbx);
}

TEST(WaitingLoop, WithoutALoopAllCounts) {
  EXPECT_EQ(deciding(muster_test_counting, muster_test_counting), in_rbx | in_r12 | in_r13);
}

}  // namespace
}  // namespace muster
