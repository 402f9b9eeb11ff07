#pragma once
// What every hook and interposer needs: to be visible to the program, to know its caller, and the real function behind
// it.

#include <dlfcn.h>

#include "runtime/engine.hpp"
#include "runtime/memory.hpp"
#include "runtime/sync.hpp"

#define MUSTER_HOOK extern "C" __attribute__((visibility("default")))
/// A function by the name that the linker knows it by.
#define MUSTER_NAMED(type, name, parameters)                 \
  MUSTER_HOOK type muster_named##name parameters asm(#name); \
  type muster_named##name parameters
#define MUSTER_SITE reinterpret_cast<::muster::SiteId>(__builtin_return_address(0))

namespace muster {

inline ObjectId id(const volatile void* object) { return reinterpret_cast<ObjectId>(object); }

/// No object is larger: a copy of so much crashes by itself, and is not gone through before.
constexpr std::size_t largest_object = std::size_t{1} << 47;

/// The function of this name in the next library: REAL(pthread_mutex_lock)(mutex).
template <class Function>
Function* next_function(const char* name, Function*& cached) {
  if (!cached) cached = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return cached;
}

/// The same for one that no header declares: next_named<void(void*)>("_ZNSt6localeD1Ev").
template <class Function>
Function* next_named(const char* name) {
  const OwnWork work;
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace muster

#define MUSTER_REAL(name)                                              \
  ([]() -> decltype(&::name) {                                         \
    static decltype(::name)* function = nullptr;                       \
    return ::muster::next_function<decltype(::name)>(#name, function); \
  }())
