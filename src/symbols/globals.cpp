#include "symbols/globals.hpp"

#include <dwarf.h>

#include <string_view>

namespace muster {
namespace {

std::optional<std::uint64_t> fixed_place(Dwarf_Die variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t length = 0;
  if (!dwarf_attr(&variable, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &operations, &length) != 0 ||
      length != 1 || operations[0].atom != DW_OP_addr)
    return {};
  return operations[0].number;
}

/// The largest by far, and without a variable of the program.
bool is_of_the_language(Dwarf_Die scope) {
  const char* const name = dwarf_diename(&scope);
  return name && (std::string_view(name) == "std" || std::string_view(name) == "__gnu_cxx");
}

}  // namespace

std::optional<Dwarf_Die> Globals::at(Dwfl_Module* module, std::uint64_t address) {
  const auto [known, is_new] = modules_.try_emplace(module);
  if (is_new) {
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;)
      read(known->second, *unit, bias);
  }
  const auto found = known->second.find(address);
  return found == known->second.end() ? std::nullopt : std::optional(found->second);
}

void Globals::read(Variables& variables, Dwarf_Die scope, Dwarf_Addr bias) {
  Dwarf_Die child;
  if (dwarf_child(&scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace && !is_of_the_language(child)) read(variables, child, bias);
    if (tag != DW_TAG_variable) continue;
    if (const auto place = fixed_place(child)) variables.emplace(*place + bias, child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace muster
