#include "runtime/own_frames.hpp"

#include <gtest/gtest.h>
#include <unwind.h>

#include <algorithm>

namespace muster {
namespace {

struct Unwound {
  const OwnFrames& own;
  Caller caller;
};

/// The first frame outside of this program, which is what `OwnFrames` takes for its own here.
_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& unwound = *static_cast<Unwound*>(argument);
  const std::uintptr_t pc = _Unwind_GetIP(context);
  if (unwound.own.contains(pc)) return _URC_NO_REASON;
  unwound.caller.pc = pc;
  unwound.caller.stack = _Unwind_GetCFA(context);
  unsigned i = 0;
  for (const int reg : {3, 6, 12, 13, 14, 15}) unwound.caller.preserved[i++] = _Unwind_GetGR(context, reg);
  return _URC_END_OF_STACK;
}

// Frames of different shapes between this and the program's end.
[[gnu::noinline]] int compare(OwnFrames& own, OwnFrames::Way expected) {
  Caller caller;
  EXPECT_EQ(own.leave(caller), expected);
  Unwound unwound{own, {}};
  _Unwind_Backtrace(visit, &unwound);
  EXPECT_NE(caller.pc, 0u);
  EXPECT_EQ(caller, unwound.caller);
  return 1;
}
[[gnu::noinline]] int through_large_frame(OwnFrames& own, OwnFrames::Way expected) {
  volatile char large[5000];
  large[17] = 4;
  return compare(own, expected) + large[17];
}
/// Its size is not known when it is compiled: the frame pointer leads out of it.
[[gnu::noinline]] int through_growing_frame(OwnFrames& own, OwnFrames::Way expected, unsigned size) {
  auto* memory = static_cast<volatile char*>(__builtin_alloca(size));
  memory[size - 1] = 3;
  return through_large_frame(own, expected) + memory[size - 1];
}

TEST(OwnFrames, LeadToWhereTheUnwinderLeads) {
  OwnFrames own;
  compare(own, OwnFrames::Way::fresh);
  for (const unsigned size : {16u, 100u, 3000u}) {
    const OwnFrames::Way way = size == 16 ? OwnFrames::Way::fresh : OwnFrames::Way::known;
    EXPECT_EQ(through_growing_frame(own, way, size), 8);
  }
}

TEST(OwnFrames, AreNotLeftWhereTheyWereWrong) {
  OwnFrames own;
  Caller caller;
  own.distrust();
  EXPECT_EQ(own.leave(caller), OwnFrames::Way::none);
}

}  // namespace
}  // namespace muster
