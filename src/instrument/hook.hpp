#pragma once
// What every hook and interposer needs: to be visible to the program, to know its caller, and the real function behind it.

#include <dlfcn.h>

#include "runtime/engine.hpp"
#include "runtime/memory.hpp"
#include "runtime/sync.hpp"

#define MUSTER_HOOK extern "C" __attribute__((visibility("default")))
#define MUSTER_SITE reinterpret_cast<::muster::SiteId>(__builtin_return_address(0))

namespace muster {

inline ObjectId id(const volatile void* object) { return reinterpret_cast<ObjectId>(object); }

/// The function of this name in the next library: REAL(pthread_mutex_lock)(mutex).
template <class Function>
Function* next_function(const char* name, Function*& cached) {
  if (!cached) cached = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return cached;
}

}  // namespace muster

#define MUSTER_REAL(name)                                            \
  ([]() -> decltype(&::name) {                                       \
    static decltype(::name)* function = nullptr;                     \
    return ::muster::next_function<decltype(::name)>(#name, function); \
  }())
