#pragma once
// The objects of events that name them by address, as the recorder and controlled executions do: memory cut into the
// pieces that accesses share, locks, and what orders events.

#include <absl/container/flat_hash_map.h>

#include <string>
#include <vector>

#include "trace/event.hpp"
#include "trace/memory_map.hpp"
#include "trace/trace_reader.hpp"

namespace muster::trace {

/// Addresses to dense numbers.
class AddressTable {
 public:
  std::uint32_t intern(std::uint64_t address);
  std::uint64_t address(std::uint32_t id) const { return addresses_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(addresses_.size()); }

 private:
  absl::flat_hash_map<std::uint64_t, std::uint32_t> ids_;
  std::vector<std::uint64_t> addresses_;
};

class AddressedObjects {
 public:
  /// To be told of all accesses before the first event is resolved.
  void cut(Kind kind, std::uint64_t object, std::uint64_t size) {
    if (is_access(kind)) memory_.cut(object, size);
  }

  /// Appends `event` about `object`, an address or the number of a thread: an access once for each piece of memory.
  void resolve(Event event, std::uint64_t object, std::uint64_t size, std::vector<Event>& into);

  /// Of variables, locks and order objects.
  std::string name(NameClass name_class, std::uint32_t id) const;
  std::uint64_t address(NameClass name_class, std::uint32_t id) const;
  std::uint32_t count(NameClass name_class) const;

 private:
  MemoryMap memory_;
  AddressTable locks_, orders_;
};

}  // namespace muster::trace
