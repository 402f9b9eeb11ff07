#include <x86intrin.h>

#include <muster/scenario.hpp>

unsigned long long now() { return __rdtsc(); }

MUSTER_SCENARIO(time_stamp) { MUSTER_REQUIRE(now() != 0); }
