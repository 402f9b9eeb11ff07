#include "symbols/symbolizer.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "symbols/dwarf.hpp"
#include "symbols/globals.hpp"
#include "symbols/scopes.hpp"
#include "symbols/types.hpp"
#include "symbols/variables.hpp"

namespace muster {
namespace {

std::string demangled(const char* name) {
  if (!name) return {};
  // Of other names the demangler thinks that they are types: a variable `i` would be told as `int`.
  const bool mangled = std::string_view(name).starts_with("_Z");
  int status = 0;
  char* readable = mangled ? abi::__cxa_demangle(name, nullptr, nullptr, &status) : nullptr;
  std::string result = status == 0 && readable ? readable : name;
  std::free(readable);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (auto at = result.find(unnamed); at != std::string::npos; at = result.find(unnamed))
    result.erase(at, unnamed.size());
  // Arguments and templates make names longer than what they tell.
  if (const auto paren = result.find('('); paren != std::string::npos && paren > 0 && !result.starts_with("("))
    result.resize(paren);
  return result;
}

std::string last_component(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

/// As the compiler saw it: a name that is not absolute is meant from the folder it ran in. clang++ finds system headers
/// by way of its own folder.
std::string whole_path(const char* name, Dwarf_Die* unit) {
  std::filesystem::path path = name;
  Dwarf_Attribute attribute;
  const char* folder =
      unit && path.is_relative() ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : nullptr;
  if (folder) path = folder / path;
  return path.is_absolute() ? path.lexically_normal().string() : path.string();
}

const char* source_file(Dwarf_Die* unit, Dwarf_Word index) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count) return nullptr;
  return dwarf_filesrc(files, index, nullptr, nullptr);
}

struct LoadedModule {
  std::uint64_t bias = 0, start = 0, end = 0;
  std::string path;
  bool operator==(const LoadedModule&) const = default;
};

bool take_hex(std::string_view& line, std::uint64_t& value) {
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
  if (line.starts_with(' ')) line.remove_prefix(1);
  return true;
}

std::vector<LoadedModule> parse_modules(std::string_view table) {
  std::vector<LoadedModule> modules;
  while (!table.empty()) {
    const std::size_t newline = table.find('\n');
    std::string_view line = table.substr(0, newline);
    table.remove_prefix(newline == std::string_view::npos ? table.size() : newline + 1);
    LoadedModule module;
    if (!take_hex(line, module.bias) || !take_hex(line, module.start) || !take_hex(line, module.end)) continue;
    module.path = line;
    // The table is written more than once in a run; a module reported twice would not be found at all.
    if (std::find(modules.begin(), modules.end(), module) == modules.end()) modules.push_back(std::move(module));
  }
  return modules;
}

}  // namespace

struct Symbolizer::Impl {
  Dwfl* dwfl = nullptr;
  Dwfl_Callbacks callbacks{};
  char* debuginfo_path = nullptr;
  std::vector<LoadedModule> modules;  // of a recorded run
  Globals globals;
  Scopes scopes;
  std::vector<Dwarf_Die> types;                     // that were asked for
  std::unordered_map<const void*, TypeId> numbers;  // of these, by where they are described

  TypeId number(std::optional<Dwarf_Die> type) {
    if (!type) return 0;
    const auto [entry, fresh] = numbers.try_emplace(type->addr, static_cast<TypeId>(types.size() + 1));
    if (fresh) types.push_back(*type);
    return entry->second;
  }

  /// A variable that lives as long as the program, and how far into it an address lies.
  struct Symbol {
    const char* name;
    std::uint64_t offset;
    std::optional<Dwarf_Die> variable;
  };
  std::optional<Symbol> symbol_at(std::uint64_t address);
};

std::optional<Symbolizer::Impl::Symbol> Symbolizer::Impl::symbol_at(std::uint64_t address) {
  Dwfl_Module* module = dwfl_addrmodule(dwfl, address);
  if (!module) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return {};
  return Symbol{name, offset, globals.at(module, address - offset)};
}

std::string SourcePlace::brief() const {
  if (file.empty()) return function.empty() ? "?" : function;
  return last_component(file) + ":" + std::to_string(line);
}

Symbolizer::Symbolizer() : impl_(std::make_unique<Impl>()) {
  impl_->callbacks.find_elf = dwfl_linux_proc_find_elf;
  impl_->callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
  impl_->callbacks.debuginfo_path = &impl_->debuginfo_path;
  impl_->dwfl = dwfl_begin(&impl_->callbacks);
  if (!impl_->dwfl || dwfl_linux_proc_report(impl_->dwfl, getpid()) != 0 ||
      dwfl_report_end(impl_->dwfl, nullptr, nullptr) != 0) {
    fail("cannot read the debug information of this program: {}", dwfl_errmsg(-1));
  }
}

Symbolizer::Symbolizer(std::string_view module_table) : impl_(std::make_unique<Impl>()) {
  impl_->modules = parse_modules(module_table);
  impl_->callbacks.find_elf = dwfl_build_id_find_elf;
  impl_->callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
  impl_->callbacks.section_address = dwfl_offline_section_address;
  impl_->callbacks.debuginfo_path = &impl_->debuginfo_path;
  impl_->dwfl = dwfl_begin(&impl_->callbacks);
  if (!impl_->dwfl) return;
  dwfl_report_begin(impl_->dwfl);
  for (const LoadedModule& module : impl_->modules) {
    if (std::filesystem::is_regular_file(module.path)) {
      dwfl_report_elf(impl_->dwfl, module.path.c_str(), module.path.c_str(), -1, module.bias, true);
    }
  }
  dwfl_report_end(impl_->dwfl, nullptr, nullptr);
}

Symbolizer::~Symbolizer() {
  if (impl_->dwfl) dwfl_end(impl_->dwfl);
}

const SourcePlace& Symbolizer::locate(std::uint64_t address) {
  const auto [entry, fresh] = places_.try_emplace(address);
  SourcePlace& place = entry->second;
  if (!fresh || address == 0) return place;
  const std::uint64_t pc = address - 1;  // inside the call, not after it
  Dwfl_Module* module = impl_->dwfl ? dwfl_addrmodule(impl_->dwfl, pc) : nullptr;
  if (!module) return place;
  place.function = demangled(dwfl_module_addrname(module, pc));
  place.system = true;
  if (Dwfl_Line* line = dwfl_module_getsrc(module, pc)) {
    const char* file = dwfl_lineinfo(line, nullptr, &place.line, nullptr, nullptr, nullptr);
    Dwarf_Addr shift = 0;
    place.file = file ? whole_path(file, dwfl_module_addrdie(module, pc, &shift)) : "";
  }
  place.system = is_system_file(place.file);
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_module_addrdie(module, pc, &bias);
  if (!unit) return place;
  for (Dwarf_Die& scope : impl_->scopes.of_code(unit, pc - bias)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    if (!place.system) {
      Dwarf_Attribute linkage;
      const char* name = dwarf_formstring(dwarf_attr_integrate(&scope, DW_AT_linkage_name, &linkage));
      if (!name) name = dwarf_diename(&scope);
      if (name) place.function = demangled(name);
      break;
    }
    if (tag != DW_TAG_inlined_subroutine) break;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    if (dwarf_formudata(dwarf_attr(&scope, DW_AT_call_file, &attribute), &file) != 0) continue;
    if (dwarf_formudata(dwarf_attr(&scope, DW_AT_call_line, &attribute), &line) != 0) continue;
    if (const char* name = source_file(unit, file)) {
      place.file = whole_path(name, unit);
      place.line = static_cast<int>(line);
      place.system = is_system_file(place.file);
    }
  }
  return place;
}

const SourcePlace& Symbolizer::locate(std::span<const std::uint64_t> stack) {
  for (const std::uint64_t address : stack) {
    const SourcePlace& place = locate(address);
    if (!place.system && !place.file.empty()) return place;
  }
  return locate(stack.empty() ? 0 : stack[0]);
}

const std::vector<SourcePlace>& Symbolizer::functions_at(std::uint64_t address) {
  const auto [entry, fresh] = functions_.try_emplace(address);
  std::vector<SourcePlace>& functions = entry->second;
  const std::uint64_t pc = address - 1;
  Dwfl_Module* module = fresh && address != 0 && impl_->dwfl ? dwfl_addrmodule(impl_->dwfl, pc) : nullptr;
  Dwfl_Line* line = module ? dwfl_module_getsrc(module, pc) : nullptr;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = line ? dwfl_module_addrdie(module, pc, &bias) : nullptr;
  if (!unit) return functions;
  SourcePlace place;
  const char* file = dwfl_lineinfo(line, nullptr, &place.line, nullptr, nullptr, nullptr);
  place.file = file ? whole_path(file, unit) : "";
  for (Dwarf_Die& scope : impl_->scopes.of_code(unit, pc - bias)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    place.system = is_system_file(place.file);
    place.function = dwarf::name_of(scope);
    functions.push_back(place);
    if (tag == DW_TAG_subprogram) break;
    Dwarf_Attribute attribute;
    Dwarf_Word index = 0, number = 0;
    if (dwarf_formudata(dwarf_attr(&scope, DW_AT_call_file, &attribute), &index) != 0 ||
        dwarf_formudata(dwarf_attr(&scope, DW_AT_call_line, &attribute), &number) != 0)
      break;
    const char* name = source_file(unit, index);
    place.file = name ? whole_path(name, unit) : "";
    place.line = static_cast<int>(number);
  }
  return functions;
}

std::vector<SourcePlace> Symbolizer::places(std::span<const std::uint64_t> stack) {
  std::vector<SourcePlace> found;
  for (const std::uint64_t address : stack) {
    for (const SourcePlace& place : functions_at(address)) {
      if (!place.system && !place.file.empty()) found.push_back(place);
    }
  }
  return found;
}

std::string Symbolizer::library_call(std::span<const std::uint64_t> stack) {
  std::string called;
  for (const std::uint64_t address : stack) {
    for (const SourcePlace& place : functions_at(address)) {
      if (!place.system && !place.file.empty()) return called;
      called = place.function;
    }
  }
  return {};
}

std::string Symbolizer::describe(std::uint64_t address) {
  if (address == 0) return {};
  const SourcePlace& place = locate(address);
  if (!place.file.empty()) return place.brief();
  for (const LoadedModule& module : impl_->modules) {
    if (address > module.start && address <= module.end)
      return fmt::format("{}+{:#x}", last_component(module.path), address - module.bias);
  }
  const std::string offset = impl_->modules.empty() ? to_offset(address) : std::string();
  return offset.empty() ? fmt::format("{:#x}", address) : offset;
}

namespace {

struct Ranges {
  struct Range {
    std::uint64_t begin, end;
    std::string name;
  };
  std::vector<Range> list;
};

Ranges ranges_of(Dwfl* dwfl) {
  Ranges ranges;
  dwfl_getmodules(
      dwfl,
      [](Dwfl_Module* module, void**, const char* name, Dwarf_Addr, void* into) {
        Dwarf_Addr begin = 0, end = 0;
        dwfl_module_info(module, nullptr, &begin, &end, nullptr, nullptr, nullptr, nullptr);
        static_cast<Ranges*>(into)->list.push_back({begin, end, last_component(name ? name : "")});
        return static_cast<int>(DWARF_CB_OK);
      },
      &ranges, 0);
  return ranges;
}

}  // namespace

std::uint64_t Symbolizer::widen(std::uint32_t low) const {
  for (const auto& range : ranges_of(impl_->dwfl).list) {
    for (std::uint64_t high = range.begin >> 32; high <= range.end >> 32; ++high) {
      const std::uint64_t address = (high << 32) | low;
      if (address >= range.begin && address < range.end) return address;
    }
  }
  return 0;
}

std::string Symbolizer::to_offset(std::uint64_t address) const {
  for (const auto& range : ranges_of(impl_->dwfl).list) {
    if (address >= range.begin && address < range.end)
      return fmt::format("{}+{:#x}", range.name, address - range.begin);
  }
  return {};
}

std::uint64_t Symbolizer::from_offset(const std::string& text) const {
  const auto plus = text.rfind("+0x");
  if (plus == std::string::npos) return 0;
  std::uint64_t offset = 0;
  std::from_chars(text.data() + plus + 3, text.data() + text.size(), offset, 16);
  for (const auto& range : ranges_of(impl_->dwfl).list) {
    if (range.name == text.substr(0, plus)) return range.begin + offset;
  }
  return 0;
}

std::string Symbolizer::variable(std::uint64_t address) const {
  const auto symbol = impl_->symbol_at(address);
  if (!symbol) return {};
  if (symbol->variable) return demangled(symbol->name) + member_of(*symbol->variable, symbol->offset);
  return demangled(symbol->name) + (symbol->offset == 0 ? "" : fmt::format("+{}", symbol->offset));
}

std::string Symbolizer::local(std::uint64_t address, std::int64_t from_frame) const {
  const auto found = local_variable(impl_->dwfl, impl_->scopes, address, from_frame);
  return found ? std::string(dwarf::name_of(found->variable)) + member_of(found->variable, found->offset) : "";
}

// ---- types ----

TypedPlace Symbolizer::type_of_variable(std::uint64_t address) const {
  const auto symbol = impl_->symbol_at(address);
  if (!symbol || !symbol->variable) return {};
  return {impl_->number(dwarf::type_of(*symbol->variable)), symbol->offset};
}

TypedPlace Symbolizer::type_of_local(std::uint64_t address, std::int64_t from_frame) const {
  const auto found = local_variable(impl_->dwfl, impl_->scopes, address, from_frame);
  if (!found) return {};
  return {impl_->number(dwarf::type_of(found->variable)), found->offset};
}

TypeId Symbolizer::type_allocated(std::uint64_t address) const {
  return impl_->number(allocated_type(impl_->dwfl, impl_->scopes, address));
}

TypeId Symbolizer::type_of_atomic(std::uint64_t address) const {
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = dwfl_addrdie(impl_->dwfl, address - 1, &bias);
  return unit ? impl_->number(atomic_around(impl_->scopes, unit, address - 1 - bias)) : 0;
}

TypeId Symbolizer::value_type(TypedPlace place, std::uint64_t size) const {
  return place.type ? impl_->number(value_type_at(impl_->types[place.type - 1], place.offset, size)) : 0;
}

std::string Symbolizer::type_name(TypeId type) const {
  if (type == 0) return {};
  const std::string_view name = dwarf::name_of(impl_->types[type - 1]);
  return std::string(name.substr(0, name.find('<')));
}

std::uint64_t Symbolizer::size(TypeId type) const { return type ? dwarf::size_of(impl_->types[type - 1]) : 0; }

std::string Symbolizer::member(TypedPlace place) const {
  return place.type ? member_at(impl_->types[place.type - 1], place.offset) : "";
}

void Symbolizer::for_each_pointer(TypeId type,
                                  const std::function<void(std::uint64_t offset, TypeId pointee)>& use) const {
  if (type == 0) return;
  muster::for_each_pointer(impl_->types[type - 1],
                           [&](std::uint64_t offset, Dwarf_Die pointee) { use(offset, impl_->number(pointee)); });
}

std::string Symbolizer::text(TypeId type, std::span<const std::byte> value,
                             const std::function<std::string(std::uint64_t offset, TypeId pointee)>& pointer) const {
  if (type == 0) return {};
  return value_text(impl_->types[type - 1], value, [&](std::uint64_t offset, std::optional<Dwarf_Die> pointee) {
    return pointer(offset, impl_->number(pointee));
  });
}

}  // namespace muster
