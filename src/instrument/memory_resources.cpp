// Memory resources of the standard library: the default one, which is an atomic pointer, and one that is called through
// a table of the library, so that only all callers can be told.

#include <memory_resource>

#include "instrument/hook.hpp"
#include "instrument/library_accesses.hpp"
#include "instrument/modules.hpp"
#include "instrument/shared_counts.hpp"

namespace muster {
namespace {

using std::pmr::memory_resource;
using PoolResource = std::pmr::unsynchronized_pool_resource;

char default_resource;  // stands for the library's own variable, wherever that is

/// One thread at a time may use it.
void tell_use(const PoolResource* pool, SiteId site) {
  if (is_watched_code(site)) library_access(pool, sizeof *pool, true, site);
}

}  // namespace

MUSTER_NAMED(memory_resource*, _ZNSt3pmr20get_default_resourceEv, ()) {
  static auto* const real = next_named<memory_resource*()>("_ZNSt3pmr20get_default_resourceEv");
  library_pointer_is_read(&default_resource, MUSTER_SITE);
  return real();
}
MUSTER_NAMED(memory_resource*, _ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE, (memory_resource * fresh)) {
  static auto* const real =
      next_named<memory_resource*(memory_resource*)>("_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE");
  library_pointer_is_set(&default_resource, MUSTER_SITE);
  return real(fresh);
}

MUSTER_NAMED(void*, _ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm,
             (PoolResource * pool, std::size_t size, std::size_t alignment)) {
  static auto* const real = next_named<void*(PoolResource*, std::size_t, std::size_t)>(
      "_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm");
  tell_use(pool, MUSTER_SITE);
  return real(pool, size, alignment);
}
MUSTER_NAMED(void, _ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm,
             (PoolResource * pool, void* block, std::size_t size, std::size_t alignment)) {
  static auto* const real = next_named<void(PoolResource*, void*, std::size_t, std::size_t)>(
      "_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm");
  tell_use(pool, MUSTER_SITE);
  real(pool, block, size, alignment);
}
MUSTER_NAMED(void, _ZNSt3pmr28unsynchronized_pool_resource7releaseEv, (PoolResource * pool)) {
  static auto* const real = next_named<void(PoolResource*)>("_ZNSt3pmr28unsynchronized_pool_resource7releaseEv");
  tell_use(pool, MUSTER_SITE);
  real(pool);
}

}  // namespace muster
