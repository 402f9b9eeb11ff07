#include <gtest/gtest.h>
#include <muster/check.hpp>

#include "counters.hpp"

namespace {

using namespace std::chrono_literals;

TEST(Counter, IsLinearizable) {
  muster::Check check("counter");
  auto counter = check.object<Counter>();
  counter.operation("next", &Counter::next);
  EXPECT_TRUE(check.run({.budget = 10s, .size = "2x2"}));
}

TEST(WorkQueue, IsLinearizable) {
  muster::Check check("work_queue");
  auto queue = check.object<WorkQueue<int>>();
  queue.operation("Add", &WorkQueue<int>::add).with(200).with(400);
  queue.operation("TryTake", &WorkQueue<int>::try_take);
  EXPECT_TRUE(check.run({.budget = 10s, .size = "2x2"}));  // Catch2: CHECK(check.run({.budget = 10s, .size = "2x2"}))
}

TEST(LossyCounter, IsNot) {
  muster::Check check("lossy_counter");
  auto counter = check.object<LossyCounter>();
  counter.operation("next", &LossyCounter::next);
  const muster::CheckOutcome outcome = check.run({.size = "2x2"});
  EXPECT_FALSE(outcome);
  EXPECT_NE(outcome.report.find("no serial order explains"), std::string::npos) << outcome.report;
}

struct Unmakeable {
  Unmakeable() { throw std::runtime_error("no such device"); }
  void call() {}
};
struct Opaque {};

std::string complaint(muster::Check& check) {
  try {
    check.run();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TEST(BadInput, IsAnExceptionThatSaysWhereAndWhatToDo) {
  muster::Check nothing("nothing");
  EXPECT_NE(complaint(nothing).find("check nothing has no object"), std::string::npos);

  muster::Check unmakeable("unmakeable");
  auto object = unmakeable.object<Unmakeable>();
  object.operation("call", &Unmakeable::call);
  EXPECT_NE(complaint(unmakeable).find("throws std::runtime_error: no such device"), std::string::npos);

  muster::Check factory("factory");
  auto made = factory.object_from<Counter>([]() -> Counter* { return nullptr; });
  made.operation("next", &Counter::next);
  EXPECT_NE(complaint(factory).find("the factory gave no object"), std::string::npos);

  muster::Check incomparable("incomparable");
  auto counter = incomparable.object<Counter>();
  counter.operation("opaque", [](Counter&) { return Opaque(); });
  EXPECT_NE(complaint(incomparable).find("add .seen_as"), std::string::npos) << complaint(incomparable);
  EXPECT_NE(complaint(incomparable).find("in_googletest.cpp:"), std::string::npos);

  muster::Check unfinished("unfinished");
  auto target = unfinished.object<Counter>();
  target.operation("set", [](Counter& c, int value) { c.value = value; });
  EXPECT_NE(complaint(unfinished).find("takes arguments: add .with"), std::string::npos) << complaint(unfinished);

  muster::Check empty("empty");
  auto unused = empty.object<Counter>();
  unused.operation("next", &Counter::next);
  empty.test(" | ");
  EXPECT_NE(complaint(empty).find("has no column"), std::string::npos);
}

}  // namespace
