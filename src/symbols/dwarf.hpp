#pragma once
// What is asked again and again of the compiler's descriptions.

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster::dwarf {

inline std::string_view name_of(Dwarf_Die die) {
  const char* name = dwarf_diename(&die);
  return name ? name : "";
}

inline std::optional<Dwarf_Die> referred(Dwarf_Die die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Die target;
  if (!dwarf_attr_integrate(&die, attribute_name, &attribute) || !dwarf_formref_die(&attribute, &target)) return {};
  return target;
}

/// The type behind names and qualifiers.
inline std::optional<Dwarf_Die> type_of(Dwarf_Die die) {
  std::optional<Dwarf_Die> type = referred(die, DW_AT_type);
  Dwarf_Die peeled;
  if (!type || dwarf_peel_type(&*type, &peeled) != 0) return {};
  return peeled;
}

inline std::uint64_t size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

inline std::optional<std::uint64_t> number(Dwarf_Die die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr_integrate(&die, attribute_name, &attribute), &value) != 0) return {};
  return value;
}

template <class Use>  // returns true to stop
bool for_each_child(Dwarf_Die die, Use use) {
  Dwarf_Die child;
  if (dwarf_child(&die, &child) != 0) return false;
  do {
    if (use(child)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

inline bool is_record(Dwarf_Die type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// Something that lies in each object of a record: a member, or what it inherits.
inline bool is_part(Dwarf_Die child) {
  const int tag = dwarf_tag(&child);
  return (tag == DW_TAG_member || tag == DW_TAG_inheritance) && !dwarf_hasattr(&child, DW_AT_external);
}

}  // namespace muster::dwarf
