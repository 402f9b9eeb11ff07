// The atomic accesses of code compiled with -fsanitize=thread. g++ passes compare_exchange_strong and _weak, clang++ _val.

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"

namespace muster {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;

constexpr int seq_cst = __ATOMIC_SEQ_CST;

Order order_of(int order) { return static_cast<Order>(order & 7); }

// Outside control the real instruction is used; 16 bytes go through a compare-exchange that never fails to be atomic.
template <class T>
T real_compare_exchange(volatile T* address, T expected, T desired) {
  return __sync_val_compare_and_swap(address, expected, desired);
}

template <class T, class Update>
T real_update(volatile T* address, Update update) {
  for (T old = *address;;) {
    const T seen = real_compare_exchange(address, old, update(old));
    if (seen == old) return old;
    old = seen;
  }
}

using trace::Kind;

/// `act`, an atomic access, told to whoever hears; `kind()` is asked afterwards.
template <class Act, class AskKind>
[[gnu::noinline]] auto told(const volatile void* address, std::size_t size, SiteId site, Act act, AskKind kind) {
  if (controlled) {
    auto result = act();
    tap::access(address, size, kind(), site);
    return result;
  }
  const tap::AtomicTurn turn(address);
  auto result = act();
  tap::access(address, size, kind(), site);
  return result;
}

template <class T>
T load_now(const volatile T* address, int order, SiteId site) {
  if (controlled) return Memory(*engine).load(address, order_of(order), site);
  if constexpr (sizeof(T) == 16) {
    return real_compare_exchange(const_cast<volatile T*>(address), T{0}, T{0});
  } else {
    return __atomic_load_n(address, seq_cst);
  }
}

template <class T>
T load(const volatile T* address, int order, SiteId site) {
  if (!tap::on) [[likely]] return load_now(address, order, site);
  return told(address, sizeof(T), site, [&] { return load_now(address, order, site); }, [] { return Kind::atomic_read; });
}

template <class T>
void store_now(volatile T* address, T value, int order, SiteId site) {
  if (controlled) return Memory(*engine).store(address, value, order_of(order), site);
  if constexpr (sizeof(T) == 16) {
    real_update(address, [value](T) { return value; });
  } else {
    __atomic_store_n(address, value, seq_cst);
  }
}

template <class T>
void store(volatile T* address, T value, int order, SiteId site) {
  if (!tap::on) [[likely]] return store_now(address, value, order, site);
  told(address, sizeof(T), site, [&] { return store_now(address, value, order, site), 0; }, [] { return Kind::atomic_write; });
}

template <class T, class Update>
T update_now(volatile T* address, int order, SiteId site, Update change) {
  if (!controlled) return real_update(address, change);
  const Order o = order_of(order);
  return Memory(*engine).rmw(address, o, o, site, [&](T old) { return std::optional<T>(change(old)); });
}

template <class T, class Update>
T update(volatile T* address, int order, SiteId site, Update change) {
  if (!tap::on) [[likely]] return update_now(address, order, site, change);
  return told(address, sizeof(T), site, [&] { return update_now(address, order, site, change); }, [] { return Kind::atomic_update; });
}

/// A weak compare-exchange that fails spuriously reports the expected value: the caller sees "not exchanged" from the flag.
template <class T>
bool compare_exchange_flag_now(volatile T* address, T* expected, T desired, int success, int failure, bool weak, SiteId site) {
  const T wanted = *expected;
  if (!controlled) {
    const T seen = real_compare_exchange(address, wanted, desired);
    if (seen != wanted) *expected = seen;
    return seen == wanted;
  }
  bool exchanged = false;
  const T seen = Memory(*engine).rmw(address, order_of(success), order_of(failure), site, [&](T old) -> std::optional<T> {
    if (old != wanted || (weak && engine->fails_spuriously())) return std::nullopt;
    exchanged = true;
    return desired;
  });
  if (!exchanged) *expected = seen;
  return exchanged;
}

template <class T>
bool compare_exchange_flag(volatile T* address, T* expected, T desired, int success, int failure, bool weak, SiteId site) {
  if (!tap::on) [[likely]] return compare_exchange_flag_now(address, expected, desired, success, failure, weak, site);
  bool exchanged = false;
  return told(address, sizeof(T), site, [&] { return exchanged = compare_exchange_flag_now(address, expected, desired, success, failure, weak, site); },
              [&] { return exchanged ? Kind::atomic_update : Kind::atomic_read; });
}

template <class T>
T compare_exchange(volatile T* address, T expected, T desired, int success, int failure, bool weak, SiteId site) {
  if (tap::on) [[unlikely]] {
    compare_exchange_flag(address, &expected, desired, success, failure, weak, site);
    return expected;
  }
  if (!controlled) return real_compare_exchange(address, expected, desired);
  return Memory(*engine).rmw(address, order_of(success), order_of(failure), site, [&](T old) -> std::optional<T> {
    if (old != expected || (weak && engine->fails_spuriously())) return std::nullopt;
    return desired;
  });
}

}  // namespace

#define MUSTER_ATOMICS(bits, T)                                                                                                        \
  MUSTER_HOOK T __tsan_atomic##bits##_load(const volatile T* a, int mo) { return load<T>(a, mo, MUSTER_SITE); }                        \
  MUSTER_HOOK void __tsan_atomic##bits##_store(volatile T* a, T v, int mo) { store<T>(a, v, mo, MUSTER_SITE); }                        \
  MUSTER_HOOK T __tsan_atomic##bits##_exchange(volatile T* a, T v, int mo) {                                                           \
    return update<T>(a, mo, MUSTER_SITE, [v](T) { return v; });                                                                        \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int mo) {                                                          \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old + v); });                                              \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int mo) {                                                          \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old - v); });                                              \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_and(volatile T* a, T v, int mo) {                                                          \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old & v); });                                              \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_or(volatile T* a, T v, int mo) {                                                           \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old | v); });                                              \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int mo) {                                                          \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(old ^ v); });                                              \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_fetch_nand(volatile T* a, T v, int mo) {                                                         \
    return update<T>(a, mo, MUSTER_SITE, [v](T old) { return static_cast<T>(~(old & v)); });                                           \
  }                                                                                                                                    \
  MUSTER_HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* c, T v, int mo, int fmo) {                           \
    return compare_exchange_flag<T>(a, c, v, mo, fmo, false, MUSTER_SITE);                                                             \
  }                                                                                                                                    \
  MUSTER_HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* c, T v, int mo, int fmo) {                             \
    return compare_exchange_flag<T>(a, c, v, mo, fmo, true, MUSTER_SITE);                                                              \
  }                                                                                                                                    \
  MUSTER_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T c, T v, int mo, int fmo) {                                 \
    return compare_exchange<T>(a, c, v, mo, fmo, false, MUSTER_SITE);                                                                  \
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

// Volatile accesses are treated as relaxed atomic ones: they are how old code spins.
#define MUSTER_VOLATILE(bytes, T)                                                                             \
  MUSTER_HOOK void __tsan_volatile_read##bytes(void* a) {                                                     \
    if (controlled || tap::on) load(static_cast<const volatile T*>(a), __ATOMIC_RELAXED, MUSTER_SITE);        \
  }                                                                                                           \
  MUSTER_HOOK void __tsan_volatile_write##bytes(void* a) {                                                    \
    if (!controlled) {                                                                                        \
      if (tap::on) tap::access(a, bytes, Kind::atomic_write, MUSTER_SITE);                                    \
      return;                                                                                                 \
    }                                                                                                         \
    engine->point(EventKind::store, reinterpret_cast<ObjectId>(a), MUSTER_SITE);                              \
    engine->races().store(reinterpret_cast<std::uintptr_t>(a), bytes, Order::relaxed, MUSTER_SITE);           \
    engine->wrote(reinterpret_cast<ObjectId>(a));                                                             \
    if (tap::on) tap::access(a, bytes, Kind::atomic_write, MUSTER_SITE);                                      \
  }                                                                                                           \
  MUSTER_HOOK void __tsan_unaligned_volatile_read##bytes(void* a) { __tsan_volatile_read##bytes(a); }         \
  MUSTER_HOOK void __tsan_unaligned_volatile_write##bytes(void* a) { __tsan_volatile_write##bytes(a); }

MUSTER_VOLATILE(1, u8)
MUSTER_VOLATILE(2, u16)
MUSTER_VOLATILE(4, u32)
MUSTER_VOLATILE(8, u64)
MUSTER_VOLATILE(16, u128)

}  // namespace muster
