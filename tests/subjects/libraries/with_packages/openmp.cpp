// OpenMP: teams, barriers, critical sections, single blocks, loops.
#include <array>
#include <cstdint>

#include "muster/scenario.hpp"

extern "C" int omp_get_thread_num();
extern "C" int omp_get_num_threads();

namespace {

/// Each of two threads writes its value, and reads the other's after what stands between.
template <class Between>
void exchange(Between between) {
  std::array<int, 2> values{};
#pragma omp parallel num_threads(2)
  {
    const auto me = static_cast<unsigned>(omp_get_thread_num());
    values[me] = 1;
    between();
    MUSTER_REQUIRE(values[1 - me] == 1);
  }
}

}  // namespace

MUSTER_SCENARIO(openmp_barrier) {
  exchange([] {
#pragma omp barrier
  });
}

MUSTER_SCENARIO(openmp_barrier_forgotten) {
  exchange([] {});
}

MUSTER_SCENARIO(openmp_critical) {
  int counter = 0;
#pragma omp parallel num_threads(3)
#pragma omp critical
  ++counter;
  MUSTER_REQUIRE(counter == 3);
}

MUSTER_SCENARIO(openmp_critical_of_two_names) {
  int counter = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
    ++counter;
  } else {
#pragma omp critical(another)
    ++counter;
  }
}

// A single block ends with a barrier.
MUSTER_SCENARIO(openmp_single) {
  int made = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    ++made;
    MUSTER_REQUIRE(made == 1);
  }
}

MUSTER_SCENARIO(openmp_loop) {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 1; i <= 4; ++i) sum += i;
  MUSTER_REQUIRE(sum == 10);
}

// A region for one thread, and one in it, which has no more.
MUSTER_SCENARIO(openmp_alone) {
  int counter = 0;
  const bool many = counter != 0;
#pragma omp parallel num_threads(2) if (many)
  {
    ++counter;
    MUSTER_REQUIRE(omp_get_num_threads() == 1);
#pragma omp parallel num_threads(2)
    ++counter;
  }
  MUSTER_REQUIRE(counter == 2 && omp_get_num_threads() == 1);
}

// Every turn once, whichever way the loop goes and however it is cut.
MUSTER_SCENARIO(openmp_loops) {
  std::array<int, 40> turns{};
  int last = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(static) lastprivate(last) nowait
    for (int i = 9; i >= 1; i -= 3) {
      ++turns[static_cast<unsigned>(i)];
      last = i;
    }
#pragma omp for schedule(static, 2) nowait
    for (std::uint64_t i = 10; i < 17; i += 1) ++turns[i];
#pragma omp for schedule(static, 1) nowait
    for (std::int64_t i = 20; i <= 26; i += 3) ++turns[static_cast<unsigned>(i)];
#pragma omp for schedule(static) nowait
    for (unsigned i = 30; i < 31; ++i) ++turns[i];
#pragma omp for schedule(static) nowait
    for (int i = 35; i < 35; ++i) ++turns[static_cast<unsigned>(i)];
  }
  int sum = 0;
  for (const unsigned i : {3u, 6u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u, 20u, 23u, 26u, 30u}) {
    MUSTER_REQUIRE(turns[i] == 1);
    ++sum;
  }
  for (const int turn : turns) sum -= turn;
  MUSTER_REQUIRE(sum == 0 && last == 3);
}

MUSTER_SCENARIO(openmp_master) {
  int made = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    ++made;
#pragma omp barrier
    MUSTER_REQUIRE(made == 1);
  }
}

MUSTER_SCENARIO(openmp_dynamic_loop) {
  int sum = 0;
#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(+ : sum)
  for (int i = 1; i <= 4; ++i) sum += i;
  MUSTER_REQUIRE(sum == 10);
}
