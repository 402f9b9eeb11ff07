#include "instrument/access_hooks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "runtime/live_state.hpp"

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
}

}  // namespace muster
