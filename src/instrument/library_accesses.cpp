#include "instrument/library_accesses.hpp"

#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/tap.hpp"

namespace muster {

void library_access(const void* address, std::size_t size, bool write, SiteId site) {
  if ((!controlled && !tap::on) || size == 0 || size > largest_object) return;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (!Arena::contains(number) && is_library_data(address)) return;
  if (tap::on) [[unlikely]]
    return tap::plain(address, size, write, site);
  Memory(*engine).plain(number, size, write, site);
}

namespace {

[[gnu::always_inline]] inline void small_library_access(const void* address, std::size_t size, bool write,
                                                        SiteId site) {
  if (!tap::on) {
    if (!controlled || Memory(*engine).plain_quickly(reinterpret_cast<std::uintptr_t>(address), size, write, site))
      return;
  }
  library_access(address, size, write, site);
}

}  // namespace

// What the compiler's hooks are called in src/standard_library: see cmake/library-hooks.txt.
#define MUSTER_LIBRARY_PLAIN(bytes)                                                                                \
  MUSTER_HOOK void muster_library_read##bytes(void* a) { small_library_access(a, bytes, false, MUSTER_SITE); }     \
  MUSTER_HOOK void muster_library_write##bytes(void* a) { small_library_access(a, bytes, true, MUSTER_SITE); }     \
  MUSTER_HOOK void muster_library_unaligned_read##bytes(void* a) { library_access(a, bytes, false, MUSTER_SITE); } \
  MUSTER_HOOK void muster_library_unaligned_write##bytes(void* a) { library_access(a, bytes, true, MUSTER_SITE); } \
  MUSTER_HOOK void muster_library_read_write##bytes(void* a) {                                                     \
    library_access(a, bytes, false, MUSTER_SITE);                                                                  \
    library_access(a, bytes, true, MUSTER_SITE);                                                                   \
  }

MUSTER_LIBRARY_PLAIN(1)
MUSTER_LIBRARY_PLAIN(2)
MUSTER_LIBRARY_PLAIN(4)
MUSTER_LIBRARY_PLAIN(8)
MUSTER_LIBRARY_PLAIN(16)

MUSTER_HOOK void muster_library_read_range(void* a, unsigned long size) { library_access(a, size, false, MUSTER_SITE); }
MUSTER_HOOK void muster_library_write_range(void* a, unsigned long size) { library_access(a, size, true, MUSTER_SITE); }
MUSTER_HOOK void muster_library_vptr_read(void** a) { library_access(a, sizeof(void*), false, MUSTER_SITE); }
MUSTER_HOOK void muster_library_vptr_update(void** a, void* value) {
  if (*a != value || tap::on) library_access(a, sizeof(void*), true, MUSTER_SITE);
}

}  // namespace muster
