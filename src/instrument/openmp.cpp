#include "instrument/openmp.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "instrument/atomics.hpp"

namespace muster {
namespace openmp {
namespace {

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

/// A thread that is a team of its own.
struct Alone {
  Team team;
  Member member;
  Member* outer;
  unsigned depth;
};

struct TeamState {
  std::array<Member*, max_threads> members;  // of each thread; null outside of parallel regions
  std::array<Alone, max_threads> alone;
  std::array<unsigned, max_threads> next;  // threads for the next team of each thread,
  unsigned asked;                          // and for all others; 0: nobody asked for a number
};
TeamState team_state{};

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

}  // namespace

unsigned number_in_team() { return member() ? member()->number : 0; }
unsigned size_of_team() { return member() ? member()->team->size : 1; }

/// A team within a team has one thread, unless somebody asks the library for more.
unsigned size_of_next_team(unsigned asked) {
  if (member()) return 1;
  return asked > 0 ? std::min<unsigned>(asked, max_threads - 1) : most_in_a_team();
}

void ask_for_size(unsigned threads) { team_state.next[engine->current().id] = threads; }
unsigned take_asked_size() { return std::exchange(team_state.next[engine->current().id], 0); }

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

void begin_alone() {
  Alone& alone = team_state.alone[engine->current().id];
  if (alone.depth++ > 0) return;
  alone.team = {.size = 1};
  alone.member = {&alone.team, 0, nullptr, nullptr};
  alone.outer = std::exchange(member(), &alone.member);
}
void end_alone() {
  Alone& alone = team_state.alone[engine->current().id];
  if (--alone.depth == 0) member() = alone.outer;
}

void wait_for_team(SiteId site) {
  Member* const who = member();
  if (!who || who->team->size == 1) return;
  const ObjectId barrier = id(&who->team->barrier);
  if (!sync::knows(barrier)) sync::adopt_barrier(barrier, who->team->size);
  sync::arrive_and_wait(barrier, site);
}

bool enters_single(SiteId site) {
  Member* const who = member();
  if (!who) return true;
  const std::uint32_t block = who->singles++;
  const auto next = [block](std::uint32_t entered) { return std::max(entered, block + 1); };
  return atomics::update(&who->team->singles, __ATOMIC_RELAXED, site, next) == block;
}

void take(const volatile void* lock, SiteId site) { sync::lock(id(lock), sync::MutexKind::normal, site); }
void give_back(const volatile void* lock, SiteId site) { sync::unlock(id(lock), sync::MutexKind::normal, site); }

}  // namespace openmp

using namespace openmp;

std::span<std::byte> team_data() { return std::as_writable_bytes(std::span(&team_state, 1)); }

// ---- what programs call themselves ----

MUSTER_OPENMP(int, omp_get_thread_num, (), (), return static_cast<int>(number_in_team()))
MUSTER_OPENMP(int, omp_get_num_threads, (), (), return static_cast<int>(size_of_team()))
MUSTER_OPENMP(int, omp_in_parallel, (), (), return size_of_team() > 1)
MUSTER_OPENMP(int, omp_get_max_threads, (), (), return static_cast<int>(size_of_next_team(0)))
MUSTER_OPENMP(void, omp_set_num_threads, (int threads), (threads),
              team_state.asked = static_cast<unsigned>(std::clamp(threads, 1, int{max_threads} - 1)))
MUSTER_OPENMP(void, omp_init_lock, (void* lock), (lock), sync::init(id(lock), MUSTER_SITE))
MUSTER_OPENMP(void, omp_destroy_lock, (void* lock), (lock), sync::destroy(id(lock), "an OpenMP lock", MUSTER_SITE))
MUSTER_OPENMP(void, omp_set_lock, (void* lock), (lock), take(lock, MUSTER_SITE))
MUSTER_OPENMP(void, omp_unset_lock, (void* lock), (lock), give_back(lock, MUSTER_SITE))
MUSTER_OPENMP(int, omp_test_lock, (void* lock), (lock),
              return sync::try_lock(id(lock), sync::MutexKind::normal, MUSTER_SITE) == sync::LockResult::taken)

}  // namespace muster
