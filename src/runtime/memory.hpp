#pragma once
// All atomic accesses of user code go through here: values are sequentially consistent, clocks follow the declared
// orders. No caller dereferences the address itself, so that a weaker memory can take this one's place.

#include <cstdint>
#include <cstring>
#include <optional>

#include "runtime/engine.hpp"

namespace muster {

class Memory {
 public:
  explicit Memory(Engine& engine) : engine_(engine) {}

  template <class T>
  T load(const volatile T* address, Order order, SiteId site) {
    if (!engine_.load_alone(id(address), sizeof(T), order, site)) load_among_others(address, order, site);
    return peek(address);
  }

  template <class T>
  void store(volatile T* address, T value, Order order, SiteId site) {
    if (!engine_.store_alone(id(address), sizeof(T), order, site))
      return store_among_others(address, value, order, site);
    poke(address, value);
  }

  /// `update` turns the old value into a new one, or into nothing: then this was a load of order `failure`. Returns the
  /// old value.
  template <class T, class Update>
  T rmw(volatile T* address, Order success, Order failure, SiteId site, Update&& update) {
    engine_.ask_for(success, site);
    engine_.reading_point(EventKind::rmw, id(address), site, bits(peek(address)));
    const T old = peek(address);
    const std::optional<T> fresh = update(old);
    if (engine_.is_watched()) [[unlikely]]
      tell_update(address, old, fresh, update);
    if (!fresh) {
      engine_.reduction().exchange_failed();
      engine_.reduction().reads(id(address), sizeof(T), bits(old));
      engine_.races().load(id(address), sizeof(T), failure, site);
      return old;
    }
    const bool changes = std::memcmp(&*fresh, &old, sizeof(T)) != 0;
    engine_.reduction().touches(
        {.object = id(address), .size = sizeof(T), .mode = AccessMode::write, .changes = changes});
    engine_.reduction().notice(bits(old));
    engine_.races().rmw(id(address), sizeof(T), success, site);
    if (changes) {  // writing what was there is how a spinning exchange looks: no progress
      poke(address, *fresh);
      engine_.wrote(id(address));
    }
    return old;
  }

  void fence(Order order, SiteId site) {
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
    if (engine_.is_watched()) [[unlikely]]
      tell(AccessValues::Deed::read, address, peek(address), peek(address));
  }
  // Apart, so that registers are not saved for those who are alone.
  template <class T>
  [[gnu::noinline]] void store_among_others(volatile T* address, T value, Order order, SiteId site) {
    engine_.ask_for(order, site);
    engine_.point(EventKind::store, id(address), site);
    engine_.reduction().touches({.object = id(address), .size = sizeof(T), .mode = AccessMode::write});
    engine_.races().store(id(address), sizeof(T), order, site);
    if (engine_.is_watched()) [[unlikely]]
      tell(AccessValues::Deed::update, address, peek(address), value);
    poke(address, value);
    engine_.wrote(id(address));
  }

  // For replays that are told in full.
  template <class T>
  [[gnu::cold, gnu::noinline]] void tell(AccessValues::Deed deed, const volatile T* address, T found, T left,
                                         T wanted = {}) {
    AccessValues values{.object = id(address), .size = sizeof(T), .deed = deed};
    std::memcpy(values.found.data(), &found, sizeof(T));
    std::memcpy(values.left.data(), &left, sizeof(T));
    std::memcpy(values.wanted.data(), &wanted, sizeof(T));
    engine_.tell_values(values);
  }
  template <class T, class Update>
  [[gnu::cold, gnu::noinline]] void tell_update(const volatile T* address, T found, const std::optional<T>& left,
                                                [[maybe_unused]] const Update& change) {
    using enum AccessValues::Deed;
    if constexpr (requires { change.wanted; }) {
      tell(left ? exchange : failed_exchange, address, found, change.desired, change.wanted);
    } else {
      tell(update, address, found, left.value_or(found));
    }
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
