#pragma once
// Values in the words of their types, from the compiler's description: "true", "Closed", "{next n2, tag 3}".

#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "symbols/scopes.hpp"

namespace muster {

/// The type of what lies at an offset of a type and is `size` bytes wide. Members, elements, and what an atomic or a
/// smart pointer wraps are gone into; a record of several members is one value.
std::optional<Dwarf_Die> value_type_at(Dwarf_Die type, std::uint64_t offset, std::uint64_t size);

/// What a pointer or a reference of this type points to.
std::optional<Dwarf_Die> pointee_of(Dwarf_Die type);

/// How a pointer is told that stands so far into a value.
using PointerText = std::function<std::string(std::uint64_t offset, std::optional<Dwarf_Die> pointee)>;

/// Empty where it cannot be told.
std::string value_text(Dwarf_Die type, std::span<const std::byte> bytes, const PointerText& pointer);

/// The pointers in a value of this type, with where they stand in it.
void for_each_pointer(Dwarf_Die type, const std::function<void(std::uint64_t offset, Dwarf_Die pointee)>& use);

/// The class whose member function the code before `pc` belongs to, if that is one of the standard library's atomics.
std::optional<Dwarf_Die> atomic_around(Scopes& scopes, Dwarf_Die* unit, Dwarf_Addr pc);

}  // namespace muster
