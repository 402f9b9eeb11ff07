// The atomic functions that compilers call by name: libatomic's, sized and generic, and the old 16-byte __sync ones.
// Uninstrumented code and objects too large for an instruction end here. The names are the compiler's own, hence the
// assembler labels.

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "instrument/atomics.hpp"

namespace muster {

using namespace atomics;

#define MUSTER_SIZED(bytes, T)                                                                                      \
  MUSTER_NAMED(T, __atomic_load_##bytes, (const volatile void* a, int mo)) {                                        \
    return load(static_cast<const volatile T*>(a), mo, MUSTER_SITE);                                                \
  }                                                                                                                 \
  MUSTER_NAMED(void, __atomic_store_##bytes, (volatile void* a, T v, int mo)) {                                     \
    store(static_cast<volatile T*>(a), v, mo, MUSTER_SITE);                                                         \
  }                                                                                                                 \
  MUSTER_NAMED(T, __atomic_exchange_##bytes, (volatile void* a, T v, int mo)) {                                     \
    return update(static_cast<volatile T*>(a), mo, MUSTER_SITE, [v](T) { return v; });                              \
  }                                                                                                                 \
  MUSTER_NAMED(bool, __atomic_compare_exchange_##bytes, (volatile void* a, void* expected, T v, int mo, int fmo)) { \
    return compare_exchange_flag(static_cast<volatile T*>(a), static_cast<T*>(expected), v, mo, fmo, false,         \
                                 MUSTER_SITE);                                                                      \
  }                                                                                                                 \
  MUSTER_FETCH(bytes, T, add, old + v)                                                                              \
  MUSTER_FETCH(bytes, T, sub, old - v)                                                                              \
  MUSTER_FETCH(bytes, T, and, old& v)                                                                               \
  MUSTER_FETCH(bytes, T, or, old | v)                                                                               \
  MUSTER_FETCH(bytes, T, xor, old ^ v)                                                                              \
  MUSTER_FETCH(bytes, T, nand, ~(old & v))

/// Both forms: the old value, and the new one.
#define MUSTER_FETCH(bytes, T, name, value)                                                                           \
  MUSTER_NAMED(T, __atomic_fetch_##name##_##bytes, (volatile void* a, T v, int mo)) {                                 \
    return update(static_cast<volatile T*>(a), mo, MUSTER_SITE, [v](T old) { return static_cast<T>(value); });        \
  }                                                                                                                   \
  MUSTER_NAMED(T, __atomic_##name##_fetch_##bytes, (volatile void* a, T v, int mo)) {                                 \
    const T old = update(static_cast<volatile T*>(a), mo, MUSTER_SITE, [v](T old) { return static_cast<T>(value); }); \
    return static_cast<T>(value);                                                                                     \
  }

MUSTER_SIZED(1, u8)
MUSTER_SIZED(2, u16)
MUSTER_SIZED(4, u32)
MUSTER_SIZED(8, u64)
MUSTER_SIZED(16, u128)

MUSTER_NAMED(u128, __sync_val_compare_and_swap_16, (volatile void* a, u128 expected, u128 desired)) {
  return compare_exchange(static_cast<volatile u128*>(a), expected, desired, seq_cst, seq_cst, false, MUSTER_SITE);
}
MUSTER_NAMED(bool, __sync_bool_compare_and_swap_16, (volatile void* a, u128 expected, u128 desired)) {
  return compare_exchange_flag(static_cast<volatile u128*>(a), &expected, desired, seq_cst, seq_cst, false,
                               MUSTER_SITE);
}
MUSTER_NAMED(u128, __sync_lock_test_and_set_16, (volatile void* a, u128 v)) {
  return update(static_cast<volatile u128*>(a), __ATOMIC_ACQUIRE, MUSTER_SITE, [v](u128) { return v; });
}
MUSTER_NAMED(void, __sync_lock_release_16, (volatile void* a)) {
  store(static_cast<volatile u128*>(a), u128{0}, __ATOMIC_RELEASE, MUSTER_SITE);
}

#define MUSTER_SYNC_FETCH(name, value)                                            \
  MUSTER_NAMED(u128, __sync_fetch_and_##name##_16, (volatile void* a, u128 v)) {  \
    return update(static_cast<volatile u128*>(a), seq_cst, MUSTER_SITE,           \
                  [v](u128 old) { return static_cast<u128>(value); });            \
  }                                                                               \
  MUSTER_NAMED(u128, __sync_##name##_and_fetch_16, (volatile void* a, u128 v)) {  \
    const u128 old = update(static_cast<volatile u128*>(a), seq_cst, MUSTER_SITE, \
                            [v](u128 old) { return static_cast<u128>(value); });  \
    return static_cast<u128>(value);                                              \
  }
MUSTER_SYNC_FETCH(add, old + v)
MUSTER_SYNC_FETCH(sub, old - v)
MUSTER_SYNC_FETCH(and, old& v)
MUSTER_SYNC_FETCH(or, old | v)
MUSTER_SYNC_FETCH(xor, old ^ v)
MUSTER_SYNC_FETCH(nand, ~(old& v))

// ---- objects of any size ----

namespace {

/// Outside control one lock serves all objects, as in libatomic: no thread is interrupted while it holds it for long.
class OneAtATime {
 public:
  OneAtATime() {
    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  }
  ~OneAtATime() { __atomic_clear(&taken, __ATOMIC_RELEASE); }

 private:
  static inline bool taken = false;
};

template <class Access>
void for_each_granule(const volatile void* object, std::size_t size, Access access) {
  auto address = reinterpret_cast<std::uintptr_t>(object);
  for (const std::uintptr_t end = address + size; address < end;) {
    const std::uintptr_t next = std::min(end, (address | 7) + 1);
    access(address, static_cast<unsigned>(next - address));
    address = next;
  }
}

void point_before(EventKind kind, const volatile void* object, std::size_t size, SiteId site) {
  if (kind == EventKind::store) return engine->point(kind, reinterpret_cast<ObjectId>(object), site);
  const auto* bytes = static_cast<const std::byte*>(const_cast<const void*>(object));
  engine->reading_point(kind, reinterpret_cast<ObjectId>(object), site, hash_bytes({bytes, size}));
}

void touches(const volatile void* object, std::size_t size, AccessMode mode) {
  engine->reduction().touches(
      {.object = reinterpret_cast<ObjectId>(object), .size = static_cast<std::uint32_t>(size), .mode = mode});
}

void read_all(const volatile void* object, std::size_t size, int order, SiteId site) {
  touches(object, size, AccessMode::read);
  for_each_granule(object, size,
                   [&](std::uintptr_t a, unsigned n) { engine->races().load(a, n, order_of(order), site); });
}

void change_all(volatile void* object, const void* value, std::size_t size, int order, SiteId site) {
  touches(object, size, AccessMode::write);
  for_each_granule(object, size,
                   [&](std::uintptr_t a, unsigned n) { engine->races().rmw(a, n, order_of(order), site); });
  std::memcpy(const_cast<void*>(object), value, size);
  engine->wrote(reinterpret_cast<ObjectId>(object));
}

}  // namespace

MUSTER_NAMED(void, __atomic_load, (std::size_t size, const volatile void* object, void* into, int order)) {
  if (!controlled) {
    const OneAtATime only;
    std::memcpy(into, const_cast<const void*>(object), size);
    return;
  }
  point_before(EventKind::load, object, size, MUSTER_SITE);
  read_all(object, size, order, MUSTER_SITE);
  std::memcpy(into, const_cast<const void*>(object), size);
}
MUSTER_NAMED(void, __atomic_store, (std::size_t size, volatile void* object, const void* value, int order)) {
  if (!controlled) {
    const OneAtATime only;
    std::memcpy(const_cast<void*>(object), value, size);
    return;
  }
  point_before(EventKind::store, object, size, MUSTER_SITE);
  touches(object, size, AccessMode::write);
  for_each_granule(object, size,
                   [&](std::uintptr_t a, unsigned n) { engine->races().store(a, n, order_of(order), MUSTER_SITE); });
  std::memcpy(const_cast<void*>(object), value, size);
  engine->wrote(reinterpret_cast<ObjectId>(object));
}
MUSTER_NAMED(void, __atomic_exchange,
             (std::size_t size, volatile void* object, const void* value, void* into, int order)) {
  if (!controlled) {
    const OneAtATime only;
    std::memcpy(into, const_cast<const void*>(object), size);
    std::memcpy(const_cast<void*>(object), value, size);
    return;
  }
  point_before(EventKind::rmw, object, size, MUSTER_SITE);
  std::memcpy(into, const_cast<const void*>(object), size);
  change_all(object, value, size, order, MUSTER_SITE);
}
MUSTER_NAMED(bool, __atomic_compare_exchange,
             (std::size_t size, volatile void* object, void* expected, const void* desired, int success, int failure)) {
  if (!controlled) {
    const OneAtATime only;
    const bool equal = std::memcmp(const_cast<const void*>(object), expected, size) == 0;
    if (equal)
      std::memcpy(const_cast<void*>(object), desired, size);
    else
      std::memcpy(expected, const_cast<const void*>(object), size);
    return equal;
  }
  point_before(EventKind::rmw, object, size, MUSTER_SITE);
  if (std::memcmp(const_cast<const void*>(object), expected, size) == 0) {
    change_all(object, desired, size, success, MUSTER_SITE);
    return true;
  }
  read_all(object, size, failure, MUSTER_SITE);
  std::memcpy(expected, const_cast<const void*>(object), size);
  return false;
}

}  // namespace muster
