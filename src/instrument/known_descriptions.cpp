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

}  // namespace

void add_known_descriptions() {
  const std::string source = "known_descriptions.cpp";
  for (const char* flavour : {"memb", "mb", "signal", "bp"})
    add_descriptions(fmt::format(fmt::runtime(rcu), flavour), source);
  add_descriptions(quiescent_rcu, source);
  for (const char* flavour : {"memb", "mb", "signal", "bp", "qsbr"})
    add_descriptions(fmt::format(fmt::runtime(late_calls_of_rcu), flavour), source);
  add_descriptions(rest_of_rcu, source);
}

}  // namespace muster
