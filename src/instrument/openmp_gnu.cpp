// OpenMP as g++ compiles it, for libgomp.

#include "instrument/openmp.hpp"

namespace muster {

using namespace openmp;

namespace {

// What critical sections without a name are protected by, and atomic ones.
int critical_section = 0, atomic_section = 0;

}  // namespace

MUSTER_OPENMP(void, GOMP_parallel, (TeamFunction function, void* data, unsigned threads, unsigned flags),
              (function, data, threads, flags), run_team(function, data, size_of_next_team(threads)))
MUSTER_OPENMP(void, GOMP_barrier, (), (), wait_for_team(MUSTER_SITE))
MUSTER_OPENMP(bool, GOMP_single_start, (), (), return enters_single(MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_start, (), (), take(&critical_section, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_end, (), (), give_back(&critical_section, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_name_start, (void** lock), (lock), take(lock, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_name_end, (void** lock), (lock), give_back(lock, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_atomic_start, (), (), take(&atomic_section, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_atomic_end, (), (), give_back(&atomic_section, MUSTER_SITE))

}  // namespace muster
