// The counters of sections 2.1.2, 2.2.1 and 2.2.2 of Line-Up.
#include <muster/check.hpp>

#include "counters.hpp"

namespace {

using namespace subjects::lineup;

MUSTER_CHECK(counter) {
  auto counter = check.object<Counter>();
  counter.operation("inc", &Counter::inc);
  counter.operation("dec", &Counter::dec);
  counter.operation("get", &Counter::get);
  counter.operation("set", &Counter::set).with(0);
}

MUSTER_CHECK(counter1) {
  auto counter = check.object<Counter1>();
  counter.operation("inc", &Counter1::inc);
  counter.operation("get", &Counter1::get);
}

MUSTER_CHECK(counter2) {
  auto counter = check.object<Counter2>();
  counter.operation("inc", &Counter2::inc);
  counter.operation("get", &Counter2::get);
}

}  // namespace
