#include "runtime/memory.hpp"

#include "base/hash.hpp"
#include "runtime/every_access.hpp"

namespace muster {

void Memory::store_follows(std::uintptr_t address, unsigned size, SiteId site) {
  engine_.point(EventKind::store, address, site);
  tell_plain(address, size, true);
  engine_.reduction().touches({.object = address, .size = size, .mode = AccessMode::write});
  engine_.races().store(address, size, Order::relaxed, site);
  engine_.wrote(address);
}

/// A plain access that is known to race is a scheduling point.
void Memory::plain_point(std::uintptr_t address, std::size_t size, bool write, SiteId site) {
  const auto low = static_cast<std::uint32_t>(site);
  const RacySites& sites = engine_.racy_sites_;
  const bool is_known = sites.contains(low);
  if (!is_known && !(engine_.is_watched() && sites.contains(every_access))) return;
  if (!is_known || sites.is_only_shown(low)) {
    engine_.show(write ? EventKind::write : EventKind::read, address, site);
    return tell_plain(address, size, write);
  }
  const auto value = [&] { return hash_bytes({reinterpret_cast<const std::byte*>(address), size}); };
  if (write) {
    engine_.point(EventKind::write, address, site);
    engine_.reduction().touches(
        {.object = address, .size = static_cast<std::uint32_t>(size), .mode = AccessMode::write});
  } else {
    engine_.reading_point(EventKind::read, address, site, value());
    engine_.reduction().reads(address, size, value());
  }
  tell_plain(address, size, write);
}

void Memory::tell_plain(std::uintptr_t address, std::size_t size, bool write) {
  if (!engine_.is_watched() || size > AccessValues::widest) return;
  AccessValues values{.object = address, .size = static_cast<std::uint8_t>(size)};
  values.deed = write ? AccessValues::Deed::write : AccessValues::Deed::read;
  std::memcpy(values.found.data(), reinterpret_cast<const void*>(address), size);
  engine_.tell_values(values);
}

}  // namespace muster
