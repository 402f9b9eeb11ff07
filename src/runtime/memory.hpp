#pragma once
// All accesses of user code go through here. Of atomic ones values are sequentially consistent, or, by way of
// WeakMemory, also older ones; clocks follow the declared orders. No caller dereferences their address itself. Plain
// ones are made by the compiler's code, after it told so.

#include <cstdint>
#include <cstring>
#include <optional>

#include "runtime/engine.hpp"

namespace muster {

/// What an update read, and whether it wrote.
template <class T>
struct Updated {
  T old;
  bool wrote;
};

class Memory {
 public:
  explicit Memory(Engine& engine) : engine_(engine) {}

  template <class T>
  T load(const volatile T* address, Order order, SiteId site) {
    if (!engine_.load_alone(id(address), sizeof(T), order, site)) {
      if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]]
        return load_weakly(*weak, address, order, site);
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

  /// `change` turns the old value into a new one, or into nothing: then, or if it fails for no reason, which a change
  /// that `may_fail` may do, this was a load of order `failure`.
  template <class T, class Change>
  Updated<T> rmw(volatile T* address, Order success, Order failure, SiteId site, const Change& change) {
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]]
      return rmw_weakly(*weak, address, success, failure, site, change);
    engine_.ask_for(success, site);
    engine_.reading_point(EventKind::rmw, id(address), site, bits(peek(address)));
    const T old = peek(address);
    std::optional<T> fresh = change(old);
    if (may_fail(change) && fresh && engine_.fails_spuriously()) fresh.reset();
    if (engine_.is_watched()) [[unlikely]]
      tell_update(address, old, fresh, change);
    if (!fresh) {
      engine_.reduction().exchange_failed();
      engine_.reduction().reads(id(address), sizeof(T), bits(old));
      engine_.races().load(id(address), sizeof(T), failure, site);
      return {old, false};
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
    return {old, true};
  }

  void fence(Order order, SiteId site) {
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]]
      return weak->fence(order, site);
    engine_.ask_for(order, site);
    engine_.point(EventKind::fence, 0, site);
    engine_.races().fence(order);
  }

  /// A store that the compiler's code makes, right after this: to a volatile object, as if it were atomic and relaxed.
  void store_follows(std::uintptr_t address, unsigned size, SiteId site);

  /// Nearly all plain accesses, in few instructions, for the hooks; false: it is not one of those, and `plain` shall
  /// look at it.
  [[gnu::always_inline]] bool plain_quickly(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
    if (!engine_.racy_sites_.empty() || engine_.reduction_.is_reported()) [[unlikely]]
      return false;
    if (engine_.races_.is_private(address)) return true;
    if (!Arena::in_heap(address)) return false;
    if (write && (engine_.held_back_ != 0 || engine_.is_doubtful())) return false;
    if (!engine_.options_.races) return false;
    if (!engine_.races_.plain_on_heap(address, size, write, site)) [[unlikely]]
      return false;
    if (write) engine_.made_progress_alone();
    return true;
  }
  void plain(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
    if (!engine_.racy_sites_.empty()) [[unlikely]]
      plain_point(address, size, write, site);
    if (engine_.options_.races) engine_.races_.plain(address, size, write, site);
    engine_.reduction_.plain(address, size, write);
    if (write && !Arena::in_stack_of(engine_.current_->id, address)) engine_.wrote_plain(address, size);
  }

 private:
  void plain_point(std::uintptr_t address, std::size_t size, bool write, SiteId site);
  void tell_plain(std::uintptr_t address, std::size_t size, bool write);

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
    if (WeakMemory* weak = engine_.weak_memory()) [[unlikely]] {
      const T found = peek(address);
      const bool newest = weak->store(id(address), sizeof(T), value, order, site);
      if (engine_.is_watched()) tell(AccessValues::Deed::update, address, found, value);
      if (!newest) return;
      poke(address, value);
      return engine_.wrote(id(address));
    }
    engine_.ask_for(order, site);
    engine_.point(EventKind::store, id(address), site);
    engine_.reduction().touches({.object = id(address), .size = sizeof(T), .mode = AccessMode::write});
    engine_.races().store(id(address), sizeof(T), order, site);
    if (engine_.is_watched()) [[unlikely]]
      tell(AccessValues::Deed::update, address, peek(address), value);
    poke(address, value);
    engine_.wrote(id(address));
  }

  template <class T>
  [[gnu::noinline]] T load_weakly(WeakMemory& weak, const volatile T* address, Order order, SiteId site) {
    const auto value = static_cast<T>(weak.load(id(address), sizeof(T), order, site));
    if (engine_.is_watched()) tell(AccessValues::Deed::read, address, value, value);
    return value;
  }
  template <class T, class Change>
  [[gnu::noinline]] Updated<T> rmw_weakly(WeakMemory& weak, volatile T* address, Order success, Order failure,
                                          SiteId site, const Change& change) {
    const auto change_bits = [&](Bits old) {
      const std::optional<T> fresh = change(static_cast<T>(old));
      return fresh ? std::optional(Bits{*fresh}) : std::nullopt;
    };
    const WeakMemory::Updated updated =
        weak.update(id(address), sizeof(T), {change_bits, may_fail(change)}, success, failure, site);
    const auto old = static_cast<T>(updated.old);
    std::optional<T> fresh;
    if (updated.fresh) fresh = static_cast<T>(*updated.fresh);
    if (engine_.is_watched()) tell_update(address, old, fresh, change);
    if (fresh && updated.newest && *fresh != old) {
      poke(address, *fresh);
      engine_.wrote(id(address));
    }
    return {old, fresh.has_value()};
  }

  template <class Change>
  static bool may_fail(const Change& change) {
    if constexpr (requires { change.may_fail; }) return change.may_fail;
    return false;
  }

  // For replays that are told in full.
  template <class T>
  [[gnu::cold, gnu::noinline]] void tell(AccessValues::Deed deed, const volatile T* address, T found, T left,
                                         T wanted = {}) {
    AccessValues values{.object = id(address), .size = sizeof(T), .deed = deed};
    std::memcpy(values.found.data(), &found, sizeof(T));
    std::memcpy(values.left.data(), &left, sizeof(T));
    std::memcpy(values.wanted.data(), &wanted, sizeof(T));
    if (WeakMemory* weak = engine_.weak_memory()) values.missed = weak->take_missed();
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
