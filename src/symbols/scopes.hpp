#pragma once
// The scopes that code stands in: blocks, functions, what they were inlined into. libdw finds those of one address by
// walking the description of the whole file again; here a file is walked once.

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace muster {

class Scopes {
 public:
  /// Of a piece of code, innermost first. The scopes of an inlined function are not those of its definition but what it
  /// was inlined into.
  std::vector<Dwarf_Die> of_code(Dwarf_Die* unit, Dwarf_Addr pc);
  /// The function that a piece of code stands in, as it was declared.
  std::optional<Dwarf_Die> function_of(Dwarf_Die* unit, Dwarf_Addr pc);
  /// Of something described in a file, innermost first: itself and what it was written in.
  std::vector<Dwarf_Die> around(Dwarf_Die die);

 private:
  using Number = std::uint32_t;
  static constexpr Number none = ~Number{0};
  struct Scope {
    Dwarf_Die die;
    Number outer;
    unsigned depth;
  };
  struct Code {
    Dwarf_Addr begin, end;
    Number scope;
  };
  struct Unit {
    std::vector<Scope> scopes;
    std::vector<Code> code;
    std::unordered_map<const void*, Number> numbers;  // by where they are described

    std::vector<Dwarf_Die> outwards(Number scope) const;
  };

  const Unit& unit(Dwarf_Die* unit);
  static void read(Unit& unit, Dwarf_Die die, Number outer, unsigned depth);
  static void read_parts(Unit& unit, Dwarf_Die die, Number scope, unsigned depth);

  std::map<const void*, Unit> units_;
};

}  // namespace muster
