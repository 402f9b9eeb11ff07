// OpenMP as g++ compiles it, for libgomp: the threads of a team are threads like any other, and barriers, locks,
// critical sections and single blocks are Muster's own. libgomp's wait by system calls of their own, where nobody could
// go on with another thread. What of libgomp is not here is described as not supported.

#include "instrument/openmp.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "instrument/atomics.hpp"

namespace muster {
namespace {

using TeamFunction = void (*)(void*);

/// The threads that run a parallel region.
struct Team {
  unsigned size;
  std::uint32_t barrier = 0;  // its address stands for it
  std::uint32_t singles = 0;  // single blocks that somebody has entered
};

/// One of them, on its own stack.
struct Member {
  Team* team;
  unsigned number;
  TeamFunction function;
  void* data;
  std::uint32_t singles = 0;  // single blocks that it has come to
};

struct TeamState {
  std::array<Member*, max_threads> members;  // of each thread; null outside of parallel regions
  unsigned asked;                            // threads for teams; 0: nobody asked for a number
};
TeamState team_state{};

// What critical sections without a name are protected by, and atomic ones.
int critical_section = 0, atomic_section = 0;

Member*& member() { return team_state.members[engine->current().id]; }

unsigned most_in_a_team() {
  constexpr unsigned processors = 4;  // as the machine has, whatever it runs on
  if (team_state.asked > 0) return team_state.asked;
  const char* const asked = std::getenv("OMP_NUM_THREADS");
  const unsigned long number = asked ? std::strtoul(asked, nullptr, 10) : 0;
  return number > 0 && number < max_threads ? static_cast<unsigned>(number) : processors;
}

void run_member(Member& who) {
  Member* const outer = std::exchange(member(), &who);
  who.function(who.data);
  member() = outer;
}

/// A team within a team has one thread, unless somebody asks libgomp for more.
unsigned size_of_team(unsigned asked) {
  if (member()) return 1;
  return asked > 0 ? std::min<unsigned>(asked, max_threads - 1) : most_in_a_team();
}

void run_team(TeamFunction function, void* data, unsigned size) {
  Team team{.size = size};
  std::array<pthread_t, max_threads> threads;
  std::array<Member, max_threads> members;
  for (unsigned i = 1; i < size; ++i) {
    members[i] = {&team, i, function, data};
    const auto run = [](void* who) -> void* {
      run_member(*static_cast<Member*>(who));
      return nullptr;
    };
    pthread_create(&threads[i], nullptr, run, &members[i]);
  }
  members[0] = {&team, 0, function, data};
  run_member(members[0]);
  for (unsigned i = 1; i < size; ++i) pthread_join(threads[i], nullptr);
}

void wait_for_team(SiteId site) {
  Member* const who = member();
  if (!who || who->team->size == 1) return;
  const ObjectId barrier = id(&who->team->barrier);
  if (!sync::knows(barrier)) sync::adopt_barrier(barrier, who->team->size);
  sync::arrive_and_wait(barrier, site);
}

/// Whether the thread is the first of its team that comes to this single block.
bool enters_single(SiteId site) {
  Member* const who = member();
  if (!who) return true;
  const std::uint32_t block = who->singles++;
  const auto next = [block](std::uint32_t entered) { return std::max(entered, block + 1); };
  return atomics::update(&who->team->singles, __ATOMIC_RELAXED, site, next) == block;
}

void take(const volatile void* lock, SiteId site) { sync::lock(id(lock), sync::MutexKind::normal, site); }
void give_back(const volatile void* lock, SiteId site) { sync::unlock(id(lock), sync::MutexKind::normal, site); }

}  // namespace

std::span<std::byte> team_data() { return std::as_writable_bytes(std::span(&team_state, 1)); }

// Outside of executions, libgomp's.
#define MUSTER_OPENMP(type, name, parameters, arguments, ...)             \
  MUSTER_HOOK type name parameters;                                       \
  MUSTER_HOOK type name parameters {                                      \
    if (!controlled) return next_named<type parameters>(#name) arguments; \
    __VA_ARGS__;                                                          \
  }

MUSTER_OPENMP(void, GOMP_parallel, (TeamFunction function, void* data, unsigned threads, unsigned flags),
              (function, data, threads, flags), run_team(function, data, size_of_team(threads)))
MUSTER_OPENMP(void, GOMP_barrier, (), (), wait_for_team(MUSTER_SITE))
MUSTER_OPENMP(bool, GOMP_single_start, (), (), return enters_single(MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_start, (), (), take(&critical_section, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_end, (), (), give_back(&critical_section, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_name_start, (void** lock), (lock), take(lock, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_critical_name_end, (void** lock), (lock), give_back(lock, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_atomic_start, (), (), take(&atomic_section, MUSTER_SITE))
MUSTER_OPENMP(void, GOMP_atomic_end, (), (), give_back(&atomic_section, MUSTER_SITE))
MUSTER_OPENMP(int, omp_get_thread_num, (), (), return member() ? static_cast<int>(member()->number) : 0)
MUSTER_OPENMP(int, omp_get_num_threads, (), (), return member() ? static_cast<int>(member()->team->size) : 1)
MUSTER_OPENMP(int, omp_in_parallel, (), (), return member() && member()->team->size > 1)
MUSTER_OPENMP(int, omp_get_max_threads, (), (), return static_cast<int>(member() ? 1 : most_in_a_team()))
MUSTER_OPENMP(void, omp_set_num_threads, (int threads), (threads),
              team_state.asked = static_cast<unsigned>(std::clamp(threads, 1, int{max_threads} - 1)))
MUSTER_OPENMP(void, omp_init_lock, (void* lock), (lock), sync::init(id(lock), MUSTER_SITE))
MUSTER_OPENMP(void, omp_destroy_lock, (void* lock), (lock), sync::destroy(id(lock), "an OpenMP lock", MUSTER_SITE))
MUSTER_OPENMP(void, omp_set_lock, (void* lock), (lock), take(lock, MUSTER_SITE))
MUSTER_OPENMP(void, omp_unset_lock, (void* lock), (lock), give_back(lock, MUSTER_SITE))
MUSTER_OPENMP(int, omp_test_lock, (void* lock), (lock),
              return sync::try_lock(id(lock), sync::MutexKind::normal, MUSTER_SITE) == sync::LockResult::taken)

}  // namespace muster
