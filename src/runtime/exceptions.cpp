#include "runtime/exceptions.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#include "runtime/engine.hpp"

namespace muster {

void (*thread_exit_handlers)() = nullptr;

void describe_current_exception(char* into, unsigned long size) {
  const std::type_info* type = abi::__cxa_current_exception_type();
  int status = 0;
  char* readable = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
  const char* name = readable ? readable : type ? type->name() : "an exception";
  try {
    throw;
  } catch (const std::exception& e) {
    std::snprintf(into, size, "%s: %s", name, e.what());
  } catch (...) {
    std::snprintf(into, size, "%s", name);
  }
  std::free(readable);
}

namespace {

/// Apart, so that what it needs does not lie on the stack of every thread.
[[gnu::noinline, noreturn]] void exception_left_thread() {
  controlled = false;
  Incident what{.kind = IncidentKind::exception, .place = {}, .earlier = {}};
  describe_current_exception(what.message, sizeof what.message);
  engine->fatal(what);
}

}  // namespace

void run_user_code(void* (*start)(void*), void* argument, void*& result) {
  try {
    result = start(argument);
  } catch (const ThreadExit& exit) {
    result = exit.result;
  } catch (...) {
    exception_left_thread();
  }
}

}  // namespace muster
