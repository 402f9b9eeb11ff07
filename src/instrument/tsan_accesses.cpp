// The plain accesses of code compiled with -fsanitize=thread, and the bulk functions that g++ leaves as calls.

#include <cstring>

#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/tap.hpp"

namespace muster {
namespace {

[[gnu::noinline]] void access(const void* address, std::size_t size, bool write, SiteId site) {
  if (libcxx_is_loaded && is_libcxx_data(reinterpret_cast<std::uintptr_t>(address))) [[unlikely]]
    return;
  if (tap::on) [[unlikely]]
    return tap::plain(address, size, write, site);
  if (controlled) Memory(*engine).plain(reinterpret_cast<std::uintptr_t>(address), size, write, site);
}

void copy_access(const void* address, std::size_t size, bool write, SiteId site) {
  if (size <= largest_object) access(address, size, write, site);
}

/// Most accesses need little. What the others need is apart, so that registers are not saved for all.
[[gnu::always_inline]] inline void small_access(const void* address, std::size_t size, bool write, SiteId site) {
  if (!tap::on) {
    if (!controlled || Memory(*engine).plain_quickly(reinterpret_cast<std::uintptr_t>(address), size, write, site))
      return;
  }
  access(address, size, write, site);
}

}  // namespace

#define MUSTER_PLAIN(bytes)                                                                              \
  MUSTER_HOOK void __tsan_read##bytes(void* a) { small_access(a, bytes, false, MUSTER_SITE); }           \
  MUSTER_HOOK void __tsan_write##bytes(void* a) { small_access(a, bytes, true, MUSTER_SITE); }           \
  MUSTER_HOOK void __tsan_unaligned_read##bytes(const void* a) { access(a, bytes, false, MUSTER_SITE); } \
  MUSTER_HOOK void __tsan_unaligned_write##bytes(void* a) { access(a, bytes, true, MUSTER_SITE); }       \
  MUSTER_HOOK void __tsan_read_write##bytes(void* a) {                                                   \
    access(a, bytes, false, MUSTER_SITE);                                                                \
    access(a, bytes, true, MUSTER_SITE);                                                                 \
  }                                                                                                      \
  MUSTER_HOOK void __tsan_unaligned_read_write##bytes(void* a) {                                         \
    access(a, bytes, false, MUSTER_SITE);                                                                \
    access(a, bytes, true, MUSTER_SITE);                                                                 \
  }                                                                                                      \
  MUSTER_HOOK void __tsan_read##bytes##_pc(void* a, void* pc) {                                          \
    access(a, bytes, false, reinterpret_cast<SiteId>(pc));                                               \
  }                                                                                                      \
  MUSTER_HOOK void __tsan_write##bytes##_pc(void* a, void* pc) { access(a, bytes, true, reinterpret_cast<SiteId>(pc)); }

MUSTER_PLAIN(1)
MUSTER_PLAIN(2)
MUSTER_PLAIN(4)
MUSTER_PLAIN(8)
MUSTER_PLAIN(16)

MUSTER_HOOK void __tsan_read_range(void* a, unsigned long size) { access(a, size, false, MUSTER_SITE); }
MUSTER_HOOK void __tsan_write_range(void* a, unsigned long size) { access(a, size, true, MUSTER_SITE); }
MUSTER_HOOK void __tsan_vptr_read(void** a) { access(a, sizeof(void*), false, MUSTER_SITE); }
MUSTER_HOOK void __tsan_vptr_update(void** a, void* value) {
  // Constructors and destructors of a class without bases write the pointer that is there already. Who counts events
  // must not depend on what a fresh block happens to hold, nor must who replays what was counted: it may be a point
  // there.
  const bool counted = tap::on || (controlled && engine->options().planned);
  if (*a != value || counted) access(a, sizeof(void*), true, MUSTER_SITE);
}

MUSTER_HOOK void __tsan_init() {}

// clang turns copies in instrumented code into these.
MUSTER_HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  copy_access(from, size, false, MUSTER_SITE);
  copy_access(to, size, true, MUSTER_SITE);
  return __builtin_memcpy(to, from, size);
}
MUSTER_HOOK void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  copy_access(from, size, false, MUSTER_SITE);
  copy_access(to, size, true, MUSTER_SITE);
  return __builtin_memmove(to, from, size);
}
MUSTER_HOOK void* __tsan_memset(void* to, int value, std::size_t size) {
  copy_access(to, size, true, MUSTER_SITE);
  return __builtin_memset(to, value, size);
}

}  // namespace muster
