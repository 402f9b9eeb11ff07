#include "instrument/access_hooks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "runtime/live_state.hpp"
#include "runtime/waiting_loop.hpp"

namespace muster {

/// By name, as the loader finds them for the program: what it calls are these addresses.
void tell_access_hooks() {
  using enum AccessHook::Kind;
  std::vector<AccessHook> hooks;
  const auto add = [&](AccessHook::Kind kind, unsigned size, const std::string& name) {
    if (const void* const address = dlsym(RTLD_DEFAULT, name.c_str())) hooks.push_back({kind, address, size});
  };
  for (const unsigned size : {1, 2, 4, 8, 16}) {
    for (const char* whose : {"__tsan", "muster_library"}) {
      add(read, size, fmt::format("{}_read{}", whose, size));
      add(write, size, fmt::format("{}_write{}", whose, size));
    }
    for (const char* form : {"strong", "weak"})
      add(compare_exchange, size, fmt::format("__tsan_atomic{}_compare_exchange_{}", 8 * size, form));
  }
  know_access_hooks(hooks);
  std::vector<PlainCall> calls;
  const auto add_call = [&](unsigned arguments, const std::string& name) {
    if (const void* const address = dlsym(RTLD_DEFAULT, name.c_str())) calls.push_back({address, arguments});
  };
  for (const char* yield : {"sched_yield", "thrd_yield", "pthread_yield"}) add_call(0, yield);
  for (const unsigned size : {1, 2, 4, 8, 16}) {
    for (const char* access : {"read", "write", "unaligned_read", "unaligned_write"}) {
      add_call(1, fmt::format("__tsan_{}{}", access, size));
      add_call(1, fmt::format("muster_library_{}{}", access, size));
    }
    add_call(2, fmt::format("__tsan_atomic{}_load", 8 * size));
    add_call(3, fmt::format("__tsan_atomic{}_store", 8 * size));
    for (const char* change : {"exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor"})
      add_call(3, fmt::format("__tsan_atomic{}_{}", 8 * size, change));
    for (const char* form : {"strong", "weak"})
      add_call(5, fmt::format("__tsan_atomic{}_compare_exchange_{}", 8 * size, form));
  }
  know_plain_calls(calls);
}

}  // namespace muster
