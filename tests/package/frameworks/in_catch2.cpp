#include <catch2/catch.hpp>
#include <muster/check.hpp>

#include "counters.hpp"

using namespace std::chrono_literals;

TEST_CASE("a counter is linearizable") {
  muster::Check check("counter");
  auto counter = check.object<Counter>();
  counter.operation("next", &Counter::next);
  CHECK(check.run({.budget = 10s, .size = "2x2"}));
}

TEST_CASE("a lossy counter is not") {
  muster::Check check("lossy_counter");
  auto counter = check.object<LossyCounter>();
  counter.operation("next", &LossyCounter::next);
  CHECK_FALSE(check.run({.size = "2x2"}));
}
