#include "trace/addressed_objects.hpp"

#include <fmt/format.h>

namespace muster::trace {

std::uint32_t AddressTable::intern(std::uint64_t address) {
  const auto [entry, is_new] = ids_.try_emplace(address, size());
  if (is_new) addresses_.push_back(address);
  return entry->second;
}

void AddressedObjects::resolve(Event event, std::uint64_t object, std::uint64_t size, std::vector<Event>& into) {
  if (is_access(event.kind)) {
    memory_.for_each_piece(object, size, [&](std::uint32_t variable) {
      event.object = variable;
      into.push_back(event);
    });
    return;
  }
  event.object = 0;
  if (has_object(event.kind)) {
    const NameClass name_class = object_class(event.kind);
    event.object = name_class == NameClass::thread ? static_cast<std::uint32_t>(object)
                   : name_class == NameClass::lock ? locks_.intern(object)
                                                   : orders_.intern(object);
  }
  into.push_back(event);
}

std::uint64_t AddressedObjects::address(NameClass name_class, std::uint32_t id) const {
  if (name_class == NameClass::variable) return memory_.address(id);
  return name_class == NameClass::lock ? locks_.address(id) : orders_.address(id);
}

std::string AddressedObjects::name(NameClass name_class, std::uint32_t id) const {
  return fmt::format("0x{:x}", address(name_class, id));
}

std::uint32_t AddressedObjects::count(NameClass name_class) const {
  if (name_class == NameClass::variable) return memory_.size();
  return name_class == NameClass::lock ? locks_.size() : orders_.size();
}

}  // namespace muster::trace
