// The same counter as a class under test.
#include <muster/check.hpp>

#include "counter.hpp"

MUSTER_CHECK(counter_class) {
  auto counter = check.object<Counter>();
  counter.operation("raise", &Counter::raise);
  counter.operation("value", &Counter::value);
  check.test("raise, value | raise");
}
