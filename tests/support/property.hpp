#pragma once
// How many cases a property test runs: a seeded slice in `./run test`, all of them in `./run test --full`.

#include <cstdlib>

namespace muster::test {

inline bool full_run() { return std::getenv("MUSTER_TEST_FULL") != nullptr; }

inline int cases(int slice, int full) { return full_run() ? full : slice; }

}  // namespace muster::test
