#include "symbols/variables.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "symbols/dwarf.hpp"

namespace muster {
namespace {

using namespace dwarf;

bool is_opaque(Dwarf_Die type) {
  const char* file = dwarf_decl_file(&type);
  return !file || is_system_file(file);
}

std::string plus(std::uint64_t offset) { return offset ? fmt::format("+{}", offset) : ""; }

std::string element_at(Dwarf_Die array, std::uint64_t offset) {
  const auto element = type_of(array);
  const std::uint64_t size = element ? size_of(*element) : 0;
  if (size == 0) return plus(offset);
  return fmt::format("[{}]", offset / size) + member_at(*element, offset % size);
}

std::string field_at(Dwarf_Die record, std::uint64_t offset) {
  std::string found;
  const bool known = for_each_child(record, [&](Dwarf_Die& child) {
    if (!is_part(child)) return false;
    const std::uint64_t begin = number(child, DW_AT_data_member_location).value_or(0);
    const auto type = type_of(child);
    if (!type || offset < begin || offset >= begin + size_of(*type)) return false;
    const std::string_view name = dwarf_tag(&child) == DW_TAG_member ? name_of(child) : "";
    found = (name.empty() ? "" : fmt::format(".{}", name)) + member_at(*type, offset - begin);
    return true;
  });
  return known ? found : plus(offset);
}

/// Where the location says that it lies, from the frame's canonical address on.
std::optional<std::int64_t> place_in_frame(Dwarf_Die variable, Dwarf_Addr pc, std::int64_t frame_base) {
  Dwarf_Attribute attribute;
  std::array<Dwarf_Op*, 1> operations{};
  std::array<std::size_t, 1> lengths{};
  if (!dwarf_attr_integrate(&variable, DW_AT_location, &attribute) ||
      dwarf_getlocation_addr(&attribute, pc, operations.data(), lengths.data(), 1) != 1 || lengths[0] != 1 ||
      operations[0][0].atom != DW_OP_fbreg)
    return {};
  return frame_base + static_cast<std::int64_t>(operations[0][0].number);
}

/// What offsets of variables count from: the canonical frame address (g++), or the frame pointer two words below it
/// (clang++).
std::optional<std::int64_t> frame_base(Dwarf_Die function, Dwarf_Addr pc) {
  Dwarf_Attribute attribute;
  std::array<Dwarf_Op*, 1> operations{};
  std::array<std::size_t, 1> lengths{};
  if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &attribute) ||
      dwarf_getlocation_addr(&attribute, pc, operations.data(), lengths.data(), 1) != 1 || lengths[0] != 1)
    return {};
  if (operations[0][0].atom == DW_OP_call_frame_cfa) return 0;
  if (operations[0][0].atom == DW_OP_reg6) return -16;
  return {};
}

std::optional<PartOfVariable> variable_in(Dwarf_Die scope, Dwarf_Addr pc, std::int64_t base, std::int64_t wanted) {
  std::optional<PartOfVariable> found;
  for_each_child(scope, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || name_of(child).empty()) return false;
    const auto begin = place_in_frame(child, pc, base);
    const auto type = type_of(child);
    if (!begin || !type || wanted < *begin || wanted >= *begin + static_cast<std::int64_t>(size_of(*type)))
      return false;
    found = {child, static_cast<std::uint64_t>(wanted - *begin)};
    return true;
  });
  return found;
}

/// The first argument of a template that makes objects of that type.
std::optional<Dwarf_Die> made_by(Dwarf_Die function) {
  constexpr std::string_view makers[] = {"object<", "object_from<", "FactoryMaker<", "make_unique<"};
  const std::string_view name = name_of(function);
  bool makes = false;
  for (const std::string_view maker : makers) makes |= name.starts_with(maker);
  if (!makes) return {};
  std::optional<Dwarf_Die> type;
  for_each_child(function, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_template_type_parameter) return false;
    type = type_of(child);
    return true;
  });
  return type;
}

}  // namespace

bool is_system_file(std::string_view file) {
  return file.empty() || file.starts_with("/usr/include/c++/") || file.starts_with("/usr/include/x86_64-linux-gnu/") ||
         file.starts_with("/usr/lib/gcc/") || file.starts_with("/usr/lib/llvm") ||
         file.find("libstdc++-v3") != std::string_view::npos ||
         file.find("/include/muster/") != std::string_view::npos || file.starts_with("./") ||
         file.starts_with("../sysdeps");
}

std::string member_at(Dwarf_Die type, std::uint64_t offset) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_array_type:
      return element_at(type, offset);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: {
      if (!is_opaque(type)) return field_at(type, offset);
      if (!name_of(type).starts_with("array<")) return plus(offset);
      const std::string field = field_at(type, offset);  // "._M_elems[2]"
      return field.substr(std::min(field.size(), field.find('[')));
    }
    default:
      return plus(offset);
  }
}

std::string member_of(Dwarf_Die variable, std::uint64_t offset) {
  const auto type = type_of(variable);
  return type ? member_at(*type, offset) : plus(offset);
}

std::optional<PartOfVariable> local_variable(Dwfl* dwfl, Scopes& known, std::uint64_t address,
                                             std::int64_t from_frame) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_addrdie(dwfl, address - 1, &bias);
  if (!unit) return {};
  const Dwarf_Addr pc = address - 1 - bias;
  std::vector<Dwarf_Die> scopes = known.of_code(unit, pc);
  std::optional<std::int64_t> base;
  for (Dwarf_Die& scope : scopes) {
    if (dwarf_tag(&scope) == DW_TAG_subprogram) base = frame_base(scope, pc);
  }
  if (!base) return {};
  for (Dwarf_Die& scope : scopes) {
    if (const auto found = variable_in(scope, pc, *base, from_frame)) return found;
    if (dwarf_tag(&scope) == DW_TAG_subprogram) break;
  }
  return {};
}

std::optional<Dwarf_Die> allocated_type(Dwfl* dwfl, Scopes& scopes, std::uint64_t address) {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_addrdie(dwfl, address - 1, &bias);
  if (!unit) return {};
  // The innermost only: a block that a constructor allocates is not the object.
  const auto function = scopes.function_of(unit, address - 1 - bias);
  if (!function) return {};
  for (Dwarf_Die& scope : scopes.around(*function)) {
    if (const auto type = made_by(scope)) return type;
  }
  return {};
}

}  // namespace muster
