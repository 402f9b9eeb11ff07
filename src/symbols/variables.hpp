#pragma once
// Names for what lies in memory, from the compiler's description of variables and types: "mailbox.full_",
// "slots_[2].value".

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "symbols/scopes.hpp"

namespace muster {

/// The member of a type that lies at an offset, as written after a name: ".full_", "[2]", "+8" where no name is known;
/// empty for the whole. What belongs to the standard library is not looked into.
std::string member_at(Dwarf_Die type, std::uint64_t offset);

/// The same of the type of a variable.
std::string member_of(Dwarf_Die variable, std::uint64_t offset);

struct PartOfVariable {
  Dwarf_Die variable;
  std::uint64_t offset;
};

/// The variable of the frame that the call before `address` stands in, which lies so far from the frame's canonical
/// address.
std::optional<PartOfVariable> local_variable(Dwfl* dwfl, Scopes& scopes, std::uint64_t address,
                                             std::int64_t from_frame);

/// What the call before `address` allocated memory for, where the code there says it. Known are the objects of a check
/// and those of std::make_unique.
std::optional<Dwarf_Die> allocated_type(Dwfl* dwfl, Scopes& scopes, std::uint64_t address);

/// Of the compiler, the C and C++ libraries, or Muster's own headers.
bool is_system_file(std::string_view file);

}  // namespace muster
