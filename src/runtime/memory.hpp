#pragma once
// All atomic accesses of user code go through here: values are sequentially consistent, or, by way of WeakMemory, also
// older ones; clocks follow the declared orders. No caller dereferences the address itself.

#include <cstdint>
#include <cstring>

#include "runtime/engine.hpp"

namespace muster {

class Memory {
 public:
  explicit Memory(Engine& engine) : engine_(engine) {}

  template <class T>
  T load(const volatile T* address, Order order, SiteId site) {
    if (!engine_.load_alone(id(address), sizeof(T), order, site)) {
      if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]]
        return static_cast<T>(weak->load(id(address), sizeof(T), order, site));
      load_among_others(address, order, site);
    }
    return peek(address);
  }

  /// The same for code that reads memory by itself afterwards: no older value.
  template <class T>
  void look(const volatile T* address, Order order, SiteId site) {
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]] {
      weak->load(id(address), sizeof(T), order, site, true);
    } else {
      load(address, order, site);
    }
  }

  template <class T>
  void store(volatile T* address, T value, Order order, SiteId site) {
    if (!engine_.store_alone(id(address), sizeof(T), order, site))
      return store_among_others(address, value, order, site);
    poke(address, value);
  }

  /// Writes `fresh(old)` where `writes(old)`; where not, or if it fails for no reason, which a weak one may, this was a
  /// load of order `failure`. Returns the old value.
  template <class T, class Writes, class Fresh>
  T rmw(volatile T* address, Order success, Order failure, SiteId site, Writes writes, Fresh fresh,
        bool may_fail = false) {
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]]
      return weak_rmw(*weak, address, success, failure, site, writes, fresh, may_fail);
    engine_.ask_for(success, site);
    engine_.reading_point(EventKind::rmw, id(address), site, bits(peek(address)));
    const T old = peek(address);
    if (!writes(old) || (may_fail && engine_.fails_spuriously())) {
      engine_.reduction().exchange_failed();
      engine_.reduction().reads(id(address), sizeof(T), bits(old));
      engine_.races().load(id(address), sizeof(T), failure, site);
      return old;
    }
    const T value = fresh(old);
    const bool changes = std::memcmp(&value, &old, sizeof(T)) != 0;
    engine_.reduction().touches(
        {.object = id(address), .size = sizeof(T), .mode = AccessMode::write, .changes = changes});
    engine_.reduction().notice(bits(old));
    engine_.races().rmw(id(address), sizeof(T), success, site);
    if (changes) {  // writing what was there is how a spinning exchange looks: no progress
      poke(address, value);
      engine_.wrote(id(address));
    }
    return old;
  }
  /// The same for what always writes.
  template <class T, class Fresh>
  T update(volatile T* address, Order order, SiteId site, Fresh fresh) {
    return rmw(
        address, order, order, site, [](T) { return true; }, fresh);
  }

  void fence(Order order, SiteId site) {
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]]
      return weak->fence(order, site);
    engine_.ask_for(order, site);
    engine_.point(EventKind::fence, 0, site);
    engine_.races().fence(order);
  }

 private:
  // A part of the hook: a thread that waits for its turn here comes back to one function less, and no processor
  // predicts that return.
  template <class T>
  [[gnu::always_inline]] void load_among_others(const volatile T* address, Order order, SiteId site) {
    engine_.ask_for(order, site);
    engine_.reading_point(EventKind::load, id(address), site, bits(peek(address)));
    engine_.reduction().reads(id(address), sizeof(T), bits(peek(address)));
    engine_.races().load(id(address), sizeof(T), order, site);
  }
  // Apart, so that registers are not saved for those who are alone.
  template <class T>
  [[gnu::noinline]] void store_among_others(volatile T* address, T value, Order order, SiteId site) {
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]] {
      if (!weak->store(id(address), sizeof(T), value, order, site)) return;
      poke(address, value);
      return engine_.wrote(id(address));
    }
    engine_.ask_for(order, site);
    engine_.point(EventKind::store, id(address), site);
    engine_.reduction().touches({.object = id(address), .size = sizeof(T), .mode = AccessMode::write});
    engine_.races().store(id(address), sizeof(T), order, site);
    poke(address, value);
    engine_.wrote(id(address));
  }

  template <class T, class Writes, class Fresh>
  [[gnu::noinline]] T weak_rmw(WeakMemory& weak, volatile T* address, Order success, Order failure, SiteId site,
                               Writes writes, Fresh fresh, bool may_fail) {
    const auto would_write = [&](Bits old) { return writes(static_cast<T>(old)); };
    const auto value = [&](Bits old) { return Bits{fresh(static_cast<T>(old))}; };
    const WeakMemory::Updated updated =
        weak.update(id(address), sizeof(T), {would_write, value, may_fail}, success, failure, site);
    if (updated.writes) {
      poke(address, static_cast<T>(updated.fresh));
      engine_.wrote(id(address));
    }
    return static_cast<T>(updated.old);
  }

  static ObjectId id(const volatile void* address) { return reinterpret_cast<ObjectId>(address); }
  // One kernel thread at a time runs user code, so plain accesses are atomic enough, also for 16 bytes.
  template <class T>
  static T peek(const volatile T* address) {
    return *address;
  }
  template <class T>
  static void poke(volatile T* address, T value) {
    *address = value;
  }
  template <class T>
  static std::uint64_t bits(T value) {
    if constexpr (sizeof(T) > 8) {
      return static_cast<std::uint64_t>(value) ^ (static_cast<std::uint64_t>(value >> 64) * 0x9e3779b97f4a7c15);
    } else {
      return static_cast<std::uint64_t>(value);
    }
  }

  Engine& engine_;
};

}  // namespace muster
