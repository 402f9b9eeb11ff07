#include "history/history.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace muster {
namespace {

TEST(History, TheTextFormComesBack) {
  const std::string text =
      "A: push(1)\n"
      "B: pop() -> nil\n"
      "A: -> ok\n"
      "C: cas([1 2], \"x\")\n";
  const History history = parse_history(text);
  EXPECT_EQ(history.size(), 3u);
  EXPECT_EQ(history.pending(), 1u);
  EXPECT_EQ(to_text(history), text);
  EXPECT_FALSE(history.precedes(0, 1));
  EXPECT_TRUE(history.precedes(1, 2));
}

TEST(History, ABadLineIsNamed) {
  EXPECT_THROW(
      {
        try {
          parse_history("A: push(1) -> ok\nA: -> 1\n", "h.txt");
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "h.txt:2: a return by a process that has called nothing");
          throw;
        }
      },
      Error);
}

History touching(Ties ties) {
  HistoryBuilder build;
  const ProcessId process = build.process("A");
  const MethodId method = build.method("m");
  build.interval(process, method, {}, Value(), 1, 2);
  build.interval(process, method, {}, Value(), 2, 3);
  build.interval(process, method, {}, Value(), 3, 3);
  return build.finish(ties);
}

TEST(History, TheTieRuleDecidesWhetherTouchingIntervalsOverlap) {
  EXPECT_FALSE(touching(Ties::overlap).precedes(0, 1));
  EXPECT_TRUE(touching(Ties::precede).precedes(0, 1));
  EXPECT_TRUE(touching(Ties::precede).precedes(1, 2));
  EXPECT_LT(touching(Ties::precede)[2].call, touching(Ties::precede)[2].ret);
}

TEST(History, TimesTooFarApartForOneWordStillSort) {
  HistoryBuilder build;
  const ProcessId process = build.process("A");
  const MethodId method = build.method("m");
  build.interval(process, method, {}, Value(), std::numeric_limits<std::int64_t>::max() - 5,
                 HistoryBuilder::still_pending);
  build.interval(process, method, {}, Value(), std::numeric_limits<std::int64_t>::min(), 7);
  const History history = build.finish();
  EXPECT_TRUE(history.precedes(1, 0));
  EXPECT_TRUE(history[0].is_pending());
}

}  // namespace
}  // namespace muster
