#pragma once
// Variables that live as long as the program, by their addresses. A module is walked once.

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

namespace muster {

class Globals {
 public:
  /// The description of the variable that begins at this address of a loaded module; those of functions are not known.
  std::optional<Dwarf_Die> at(Dwfl_Module* module, std::uint64_t address);

 private:
  using Variables = std::unordered_map<std::uint64_t, Dwarf_Die>;

  static void read(Variables& variables, Dwarf_Die scope, Dwarf_Addr bias);

  std::map<Dwfl_Module*, Variables> modules_;
};

}  // namespace muster
