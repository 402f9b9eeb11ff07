// The atomic accesses of code compiled with -fsanitize=thread. g++ passes compare_exchange_strong and _weak, clang++
// _val.

#include "instrument/atomics.hpp"

namespace muster {

using namespace atomics;

#define MUSTER_ATOMICS(bits, T)                                                                                 \
  MUSTER_HOOK T __tsan_atomic##bits##_load(const volatile T* a, int mo) { return load<T>(a, mo, MUSTER_SITE); } \
  MUSTER_HOOK void __tsan_atomic##bits##_store(volatile T* a, T v, int mo) { store<T>(a, v, mo, MUSTER_SITE); } \
  MUSTER_HOOK T __tsan_atomic##bits##_exchange(volatile T* a, T v, int mo) {                                    \
    return update<T>(a, mo, MUSTER_SITE, [v](T) { return v; });                                                 \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int mo) {                                   \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old + v); });                       \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int mo) {                                   \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old - v); });                       \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_and(volatile T* a, T v, int mo) {                                   \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old & v); });                       \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_or(volatile T* a, T v, int mo) {                                    \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old | v); });                       \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int mo) {                                   \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old ^ v); });                       \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_nand(volatile T* a, T v, int mo) {                                  \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(~(old & v)); });                    \
  }                                                                                                             \
  MUSTER_HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* c, T v, int mo, int fmo) {    \
    return compare_exchange_flag<T>(a, c, v, mo, fmo, false, MUSTER_SITE);                                      \
  }                                                                                                             \
  MUSTER_HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* c, T v, int mo, int fmo) {      \
    return compare_exchange_flag<T>(a, c, v, mo, fmo, true, MUSTER_SITE);                                       \
  }                                                                                                             \
  MUSTER_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T c, T v, int mo, int fmo) {          \
    return compare_exchange<T>(a, c, v, mo, fmo, false, MUSTER_SITE);                                           \
  }

MUSTER_ATOMICS(8, u8)
MUSTER_ATOMICS(16, u16)
MUSTER_ATOMICS(32, u32)
MUSTER_ATOMICS(64, u64)
MUSTER_ATOMICS(128, u128)

MUSTER_HOOK void __tsan_atomic_thread_fence(int mo) {
  if (controlled) {
    Memory(*engine).fence(order_of(mo), MUSTER_SITE);
  } else {
    __atomic_thread_fence(seq_cst);
  }
}
MUSTER_HOOK void __tsan_atomic_signal_fence(int) {}

/// The program reads memory by itself afterwards.
template <class T>
void look(const volatile T* address, SiteId site) {
  if (!controlled) {
    if (tap::on) load(address, __ATOMIC_RELAXED, site);
    return;
  }
  Memory(*engine).look(address, Order::relaxed, site);
  if (tap::on) [[unlikely]]
    tap::access(address, sizeof(T), Kind::atomic_read, site);
}

// Volatile accesses are treated as relaxed atomic ones: they are how old code spins.
#define MUSTER_VOLATILE(bytes, T)                                                                                 \
  MUSTER_HOOK void __tsan_volatile_read##bytes(void* a) { look(static_cast<const volatile T*>(a), MUSTER_SITE); } \
  MUSTER_HOOK void __tsan_volatile_write##bytes(void* a) {                                                        \
    if (!controlled) {                                                                                            \
      if (tap::on) tap::access(a, bytes, Kind::atomic_write, MUSTER_SITE);                                        \
      return;                                                                                                     \
    }                                                                                                             \
    Memory(*engine).store_follows(reinterpret_cast<std::uintptr_t>(a), bytes, MUSTER_SITE);                       \
    if (tap::on) tap::access(a, bytes, Kind::atomic_write, MUSTER_SITE);                                          \
  }                                                                                                               \
  MUSTER_HOOK void __tsan_unaligned_volatile_read##bytes(void* a) { __tsan_volatile_read##bytes(a); }             \
  MUSTER_HOOK void __tsan_unaligned_volatile_write##bytes(void* a) { __tsan_volatile_write##bytes(a); }

MUSTER_VOLATILE(1, u8)
MUSTER_VOLATILE(2, u16)
MUSTER_VOLATILE(4, u32)
MUSTER_VOLATILE(8, u64)
MUSTER_VOLATILE(16, u128)

}  // namespace muster
