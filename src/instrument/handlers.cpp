// Functions that the standard library calls when all is lost: atomic pointers that it keeps where nobody sees them. Who
// finds one finds what was done before it was set.

#include <exception>
#include <new>

#include "instrument/hook.hpp"
#include "instrument/shared_counts.hpp"

namespace muster {
namespace {

char terminate_handler, new_handler;  // they stand for the library's own variables, wherever those are

}  // namespace

#define MUSTER_HANDLER(get, set, object)                      \
  MUSTER_NAMED(void*, get, ()) {                              \
    static auto* const real = next_named<void*()>(#get);      \
    library_pointer_is_read(&object, MUSTER_SITE);            \
    return real();                                            \
  }                                                           \
  MUSTER_NAMED(void*, set, (void* fresh)) {                   \
    static auto* const real = next_named<void*(void*)>(#set); \
    library_pointer_is_set(&object, MUSTER_SITE);             \
    return real(fresh);                                       \
  }
MUSTER_HANDLER(_ZSt13get_terminatev, _ZSt13set_terminatePFvvE, terminate_handler)
MUSTER_HANDLER(_ZSt15get_new_handlerv, _ZSt15set_new_handlerPFvvE, new_handler)

}  // namespace muster
