// Scenarios on a library of the user's: nothing is found unless the library, and the one behind it, are instrumented.
#include <muster/scenario.hpp>
#include <thread>

#include "counter.hpp"

MUSTER_SCENARIO(counter) {
  Counter counter;
  std::thread a{[&] { counter.raise(); }}, b{[&] { counter.raise(); }};
  a.join();
  b.join();
  MUSTER_REQUIRE(counter.value() == 2);
}

MUSTER_SCENARIO(counter_fixed) {
  Counter counter;
  std::thread a{[&] { counter.raise_fixed(); }}, b{[&] { counter.raise_fixed(); }};
  a.join();
  b.join();
  MUSTER_REQUIRE(counter.value() == 2);
}
