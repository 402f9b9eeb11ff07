#pragma once
// OpenMP, as far as Muster has it: the threads of a team are threads like any other, and barriers, locks, critical
// sections and single blocks are Muster's own. Those of the libraries wait by system calls of their own, where nobody
// could go on with another thread. How compilers call it: openmp_gnu.cpp, openmp_llvm.cpp. What is not there is
// described as not supported.

#include <cstddef>
#include <cstdint>
#include <span>

#include "instrument/hook.hpp"

namespace muster {

/// What an execution changes of what is known of OpenMP's teams: to be restored before the next one.
std::span<std::byte> team_data();

namespace openmp {

using TeamFunction = void (*)(void*);

/// The running thread in its team: 0 of 1 outside of parallel regions.
unsigned number_in_team();
unsigned size_of_team();

/// How many threads the next team has, if so many are asked for (0: nobody asked).
unsigned size_of_next_team(unsigned asked);
/// The same where that is said before: by the running thread, of its next team.
void ask_for_size(unsigned threads);
unsigned take_asked_size();
/// Each thread of a new team calls the function; returns when all have.
void run_team(TeamFunction function, void* data, unsigned size);
/// The running thread is a team of its own, until it no longer is: they may be nested.
void begin_alone();
void end_alone();

void wait_for_team(SiteId site);
/// Whether the thread is the first of its team that comes to this single block.
bool enters_single(SiteId site);

void take(const volatile void* lock, SiteId site);
void give_back(const volatile void* lock, SiteId site);

}  // namespace openmp
}  // namespace muster

// Outside of executions, the library's.
#define MUSTER_OPENMP(type, name, parameters, arguments, ...)             \
  MUSTER_HOOK type name parameters;                                       \
  MUSTER_HOOK type name parameters {                                      \
    if (!controlled) return next_named<type parameters>(#name) arguments; \
    __VA_ARGS__;                                                          \
  }
