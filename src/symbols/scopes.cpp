#include "symbols/scopes.hpp"

#include <dwarf.h>

#include "symbols/dwarf.hpp"

namespace muster {
namespace {

/// Whether functions can be described inside.
bool is_scope(int tag) {
  switch (tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_module:
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
      return true;
    default:
      return false;
  }
}

bool has_code(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

}  // namespace

void Scopes::read(Unit& unit, Dwarf_Die die, Number outer, unsigned depth) {
  const int tag = dwarf_tag(&die);
  const auto number = static_cast<Number>(unit.scopes.size());
  unit.scopes.push_back({die, outer, depth});
  unit.numbers.emplace(die.addr, number);
  if (has_code(tag)) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
      unit.code.push_back({begin, end, number});
  }
  read_parts(unit, die, number, depth + 1);
}

void Scopes::read_parts(Unit& unit, Dwarf_Die die, Number scope, unsigned depth) {
  Dwarf_Die part;
  if (dwarf_child(&die, &part) != 0) return;
  do {
    const int tag = dwarf_tag(&part);
    if (is_scope(tag)) {
      read(unit, part, scope, depth);
    } else if (tag == DW_TAG_imported_unit) {
      Dwarf_Attribute attribute;
      Dwarf_Die imported;
      if (dwarf_formref_die(dwarf_attr(&part, DW_AT_import, &attribute), &imported))
        read_parts(unit, imported, scope, depth);
    }
  } while (dwarf_siblingof(&part, &part) == 0);
}

const Scopes::Unit& Scopes::unit(Dwarf_Die* unit) {
  const auto [entry, fresh] = units_.try_emplace(unit->addr);
  if (fresh) read(entry->second, *unit, none, 0);
  return entry->second;
}

std::vector<Dwarf_Die> Scopes::Unit::outwards(Number scope) const {
  std::vector<Dwarf_Die> found;
  for (; scope != none; scope = scopes[scope].outer) found.push_back(scopes[scope].die);
  return found;
}

std::vector<Dwarf_Die> Scopes::of_code(Dwarf_Die* unit, Dwarf_Addr pc) {
  const Unit& known = this->unit(unit);
  Number innermost = none;
  for (const Code& code : known.code) {
    if (pc < code.begin || pc >= code.end) continue;
    if (innermost == none || known.scopes[code.scope].depth > known.scopes[innermost].depth) innermost = code.scope;
  }
  return known.outwards(innermost);
}

std::optional<Dwarf_Die> Scopes::function_of(Dwarf_Die* unit, Dwarf_Addr pc) {
  for (Dwarf_Die& scope : of_code(unit, pc)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    Dwarf_Die function = scope;
    for (const unsigned way : {DW_AT_abstract_origin, DW_AT_specification}) {
      if (const auto next = dwarf::referred(function, way)) function = *next;
    }
    return function;
  }
  return {};
}

std::vector<Dwarf_Die> Scopes::around(Dwarf_Die die) {
  Dwarf_Die unit;
  if (!dwarf_diecu(&die, &unit, nullptr, nullptr)) return {};
  const Unit& known = this->unit(&unit);
  const auto found = known.numbers.find(die.addr);
  return known.outwards(found == known.numbers.end() ? none : found->second);
}

}  // namespace muster
