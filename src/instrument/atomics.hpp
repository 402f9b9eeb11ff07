#pragma once
// Atomic accesses as the compiler's hooks and libatomic's functions both make them: through the model while under
// control, with the real instruction otherwise, and told to whoever records.

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"

namespace muster::atomics {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;

constexpr int seq_cst = __ATOMIC_SEQ_CST;

inline Order order_of(int order) { return static_cast<Order>(order & 7); }

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

// What is told is told by functions of their own: what they need must not lie on the stack of every thread, nor slow it
// down.

template <class T>
[[gnu::noinline]] T told_load(const volatile T* address, int order, SiteId site) {
  return told(
      address, sizeof(T), site, [&] { return load_now(address, order, site); }, [] { return Kind::atomic_read; });
}

template <class T>
T load(const volatile T* address, int order, SiteId site) {
  if (!tap::on) [[likely]]
    return load_now(address, order, site);
  return told_load(address, order, site);
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
[[gnu::noinline]] void told_store(volatile T* address, T value, int order, SiteId site) {
  told(
      address, sizeof(T), site, [&] { return store_now(address, value, order, site), 0; },
      [] { return Kind::atomic_write; });
}

template <class T>
void store(volatile T* address, T value, int order, SiteId site) {
  if (!tap::on) [[likely]]
    return store_now(address, value, order, site);
  told_store(address, value, order, site);
}

template <class T, class Update>
T update_now(volatile T* address, int order, SiteId site, Update change) {
  if (!controlled) return real_update(address, change);
  const Order o = order_of(order);
  return Memory(*engine).rmw(address, o, o, site, [&](T old) { return std::optional<T>(change(old)); }).old;
}

template <class T, class Update>
[[gnu::noinline]] T told_update(volatile T* address, int order, SiteId site, Update change) {
  return told(
      address, sizeof(T), site, [&] { return update_now(address, order, site, change); },
      [] { return Kind::atomic_update; });
}

template <class T, class Update>
T update(volatile T* address, int order, SiteId site, Update change) {
  if (!tap::on) [[likely]]
    return update_now(address, order, site, change);
  return told_update(address, order, site, change);
}

/// What a compare-exchange makes of the old value.
template <class T>
struct Exchange {
  T wanted, desired;
  bool may_fail;

  std::optional<T> operator()(T old) const { return old == wanted ? std::optional(desired) : std::nullopt; }
};

/// A weak compare-exchange that fails spuriously reports the expected value: the caller sees "not exchanged" from the
/// flag.
template <class T>
bool compare_exchange_flag_now(volatile T* address, T* expected, T desired, int success, int failure, bool weak,
                               SiteId site) {
  const T wanted = *expected;
  if (!controlled) {
    const T seen = real_compare_exchange(address, wanted, desired);
    if (seen != wanted) *expected = seen;
    return seen == wanted;
  }
  const Updated<T> updated =
      Memory(*engine).rmw(address, order_of(success), order_of(failure), site, Exchange<T>{wanted, desired, weak});
  if (!updated.wrote) *expected = updated.old;
  return updated.wrote;
}

template <class T>
[[gnu::noinline]] bool told_compare_exchange(volatile T* address, T* expected, T desired, int success, int failure,
                                             bool weak, SiteId site) {
  bool exchanged = false;
  return told(
      address, sizeof(T), site,
      [&] { return exchanged = compare_exchange_flag_now(address, expected, desired, success, failure, weak, site); },
      [&] { return exchanged ? Kind::atomic_update : Kind::atomic_read; });
}

template <class T>
bool compare_exchange_flag(volatile T* address, T* expected, T desired, int success, int failure, bool weak,
                           SiteId site) {
  if (!tap::on) [[likely]]
    return compare_exchange_flag_now(address, expected, desired, success, failure, weak, site);
  return told_compare_exchange(address, expected, desired, success, failure, weak, site);
}

template <class T>
T compare_exchange(volatile T* address, T expected, T desired, int success, int failure, bool weak, SiteId site) {
  if (tap::on) [[unlikely]] {
    T seen = expected;
    told_compare_exchange(address, &seen, desired, success, failure, weak, site);
    return seen;
  }
  if (!controlled) return real_compare_exchange(address, expected, desired);
  const Exchange<T> exchange{expected, desired, weak};
  return Memory(*engine).rmw(address, order_of(success), order_of(failure), site, exchange).old;
}

}  // namespace muster::atomics
