// OpenMP as g++ compiles it: teams, barriers, critical sections, single blocks.
#include <array>

#include "muster/scenario.hpp"

extern "C" int omp_get_thread_num();

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

MUSTER_SCENARIO(openmp_dynamic_loop) {
  int sum = 0;
#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(+ : sum)
  for (int i = 1; i <= 4; ++i) sum += i;
  MUSTER_REQUIRE(sum == 10);
}
