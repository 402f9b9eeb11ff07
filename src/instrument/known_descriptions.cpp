// What Muster knows of libraries that are not watched. Whoever builds one with the check, or describes it otherwise,
// overrules this.

#include <fmt/format.h>

#include <string>

#include "instrument/described_calls.hpp"

namespace muster {
namespace {

// Userspace RCU. A thread in a read-side section is waited for by who begins to wait then; a section that begins later
// sees what was done before. The functions themselves are left out: they keep lists of threads that outlast an
// execution. So what uses them unseen, by a table of functions, cannot be had.
constexpr const char* rcu = R"(library liburcu
urcu_{0}_init: is not called
urcu_{0}_read_lock: enters rcu-{0}, is not called
urcu_{0}_read_unlock: leaves rcu-{0}, is not called
urcu_{0}_synchronize_rcu: blocks until rcu-{0} is left, is not called
urcu_{0}_register_thread: is not called
urcu_{0}_unregister_thread: is not called
)";

// A thread is in a section from its registration on, but for its quiescent states.
constexpr const char* quiescent_rcu = R"(library liburcu
urcu_qsbr_read_lock: is not called
urcu_qsbr_read_unlock: is not called
urcu_qsbr_quiescent_state: leaves rcu-qsbr, enters rcu-qsbr, is not called
urcu_qsbr_thread_offline: leaves rcu-qsbr, is not called
urcu_qsbr_thread_online: enters rcu-qsbr, is not called
urcu_qsbr_synchronize_rcu: blocks until rcu-qsbr is left from outside, is not called
urcu_qsbr_register_thread: enters rcu-qsbr, is not called
urcu_qsbr_unregister_thread: leaves rcu-qsbr, is not called
)";

constexpr const char* late_calls_of_rcu = R"(library liburcu
urcu_{0}_call_rcu: calls argument 2 with argument 1 once rcu-{0} is left, is not called
urcu_{0}_barrier: blocks until all calls of rcu-{0}, is not called
urcu_{0}_call_rcu_data_free: is not supported
urcu_{0}_create_call_rcu_data: is not supported
urcu_{0}_create_all_cpu_call_rcu_data: is not supported
urcu_{0}_defer_rcu: is not supported
urcu_{0}_defer_barrier: is not supported
urcu_{0}_defer_register_thread: is not supported
urcu_{0}_defer_unregister_thread: is not supported
urcu_{0}_read_ongoing: is not supported
)";

// A pointer is published with what it points to.
constexpr const char* rest_of_rcu = R"(library liburcu
rcu_set_pointer_sym: releases argument 2
rcu_xchg_pointer_sym: releases argument 2, acquires the result
rcu_cmpxchg_pointer_sym: releases argument 3, acquires the result
rcu_dereference_sym: acquires argument 1
_cds_lfht_new: is not supported
_cds_lfht_new_with_flavor: is not supported
)";

// Concurrency Kit, as far as it is not in headers. What waits there does so in loops that reach nothing that is
// watched.
constexpr const char* concurrency_kit = R"(library libck
ck_barrier_centralized: meets argument 3 threads at argument 1, is not called
ck_barrier_combining: is not supported
ck_barrier_dissemination: is not supported
ck_barrier_mcs: is not supported
ck_barrier_tournament: is not supported
ck_epoch_synchronize: is not supported
ck_epoch_synchronize_wait: is not supported
ck_epoch_barrier: is not supported
ck_epoch_barrier_wait: is not supported
ck_ec32_wait_slow: is not supported
ck_ec64_wait_slow: is not supported
ck_ec32_wait_pred_slow: is not supported
ck_ec64_wait_pred_slow: is not supported
)";

// Of OpenMP, what is not there (openmp_gnu.cpp, openmp_llvm.cpp): it would wait for teams that the library knows
// nothing of.
constexpr const char* rest_of_openmp = R"(library libgomp
GOMP_sections_start: is not supported
GOMP_sections_next: is not supported
GOMP_sections_end: is not supported
GOMP_sections_end_nowait: is not supported
GOMP_parallel_sections: is not supported
GOMP_single_copy_start: is not supported
GOMP_single_copy_end: is not supported
GOMP_barrier_cancel: is not supported
GOMP_cancel: is not supported
GOMP_cancellation_point: is not supported
GOMP_task: is not supported
GOMP_taskwait: is not supported
GOMP_taskyield: is not supported
GOMP_taskloop: is not supported
GOMP_taskgroup_start: is not supported
GOMP_taskgroup_end: is not supported
GOMP_teams_reg: is not supported
GOMP_loop_start: is not supported
GOMP_loop_end: is not supported
GOMP_loop_end_nowait: is not supported
GOMP_loop_dynamic_start: is not supported
GOMP_loop_dynamic_next: is not supported
GOMP_loop_guided_start: is not supported
GOMP_loop_guided_next: is not supported
GOMP_loop_runtime_start: is not supported
GOMP_loop_runtime_next: is not supported
GOMP_loop_nonmonotonic_dynamic_start: is not supported
GOMP_loop_nonmonotonic_dynamic_next: is not supported
GOMP_loop_nonmonotonic_guided_start: is not supported
GOMP_loop_nonmonotonic_guided_next: is not supported
GOMP_loop_maybe_nonmonotonic_runtime_start: is not supported
GOMP_loop_maybe_nonmonotonic_runtime_next: is not supported
GOMP_loop_ordered_static_start: is not supported
GOMP_loop_ordered_dynamic_start: is not supported
GOMP_ordered_start: is not supported
GOMP_ordered_end: is not supported
GOMP_parallel_loop_static: is not supported
GOMP_parallel_loop_dynamic: is not supported
GOMP_parallel_loop_guided: is not supported
GOMP_parallel_loop_runtime: is not supported
GOMP_parallel_loop_nonmonotonic_dynamic: is not supported
GOMP_parallel_loop_nonmonotonic_guided: is not supported
GOMP_parallel_loop_maybe_nonmonotonic_runtime: is not supported
GOMP_parallel_reductions: is not supported
omp_set_nest_lock: is not supported
omp_unset_nest_lock: is not supported
omp_test_nest_lock: is not supported
omp_get_num_procs: returns 4 without being called
library libomp
__kmpc_fork_teams: is not supported
__kmpc_push_num_teams: is not supported
__kmpc_dispatch_init_4: is not supported
__kmpc_dispatch_init_4u: is not supported
__kmpc_dispatch_init_8: is not supported
__kmpc_dispatch_init_8u: is not supported
__kmpc_dist_for_static_init_4: is not supported
__kmpc_dist_for_static_init_4u: is not supported
__kmpc_dist_for_static_init_8: is not supported
__kmpc_dist_for_static_init_8u: is not supported
__kmpc_ordered: is not supported
__kmpc_copyprivate: is not supported
__kmpc_cancel: is not supported
__kmpc_cancel_barrier: is not supported
__kmpc_cancellationpoint: is not supported
__kmpc_omp_task_alloc: is not supported
__kmpc_omp_target_task_alloc: is not supported
__kmpc_omp_taskwait: is not supported
__kmpc_omp_wait_deps: is not supported
__kmpc_omp_taskyield: is not supported
__kmpc_taskgroup: is not supported
__kmpc_task_reduction_init: is not supported
__kmpc_taskred_init: is not supported
__kmpc_doacross_init: is not supported
__kmpc_threadprivate_cached: is not supported
omp_set_nest_lock: is not supported
omp_unset_nest_lock: is not supported
omp_test_nest_lock: is not supported
omp_get_num_procs: returns 4 without being called
)";

// What of abseil's synchronisation calls its mutexes, which are Muster's own (abseil.cpp), and does all else under
// them.
constexpr const char* abseil = R"(library libabsl
absl::debian3::Notification::~Notification: harmless
absl::debian3::Barrier::Block: harmless
absl::debian3::BlockingCounter::Wait: harmless
)";

}  // namespace

void add_known_descriptions() {
  const std::string source = "known_descriptions.cpp";
  for (const char* flavour : {"memb", "mb", "signal", "bp"})
    add_descriptions(fmt::format(fmt::runtime(rcu), flavour), source);
  add_descriptions(quiescent_rcu, source);
  for (const char* flavour : {"memb", "mb", "signal", "bp", "qsbr"})
    add_descriptions(fmt::format(fmt::runtime(late_calls_of_rcu), flavour), source);
  add_descriptions(rest_of_rcu, source);
  add_descriptions(concurrency_kit, source);
  add_descriptions(rest_of_openmp, source);
  add_descriptions(abseil, source);
  add_descriptions_of_c_library();
  add_descriptions_of_libcxx();
}

}  // namespace muster
