#include "instrument/imports.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "instrument/dynamic_section.hpp"
#include "instrument/elf_file.hpp"

namespace muster {
namespace {

struct Code {
  std::uintptr_t begin, end;
  const Module* module;
};

/// Reads one module after the other.
class ImportReader {
 public:
  explicit ImportReader(const std::vector<Module>& modules) : modules_(modules) {
    for (const Module& module : modules) {
      for (const std::span<std::byte> code : module.code) {
        const auto begin = reinterpret_cast<std::uintptr_t>(code.data());
        code_.push_back({begin, begin + code.size(), &module});
      }
    }
  }

  void read(const dl_phdr_info& info) {
    const Module* const own = info.dlpi_phnum > 0 ? module_at(info.dlpi_addr + first_address(info)) : nullptr;
    if (!own || (own->kind != Module::Kind::program && own->kind != Module::Kind::instrumented)) return;
    const DynamicSection dynamic(info);
    if (!dynamic.symbols || !dynamic.strings) return;
    for (const auto& relocations : {dynamic.relocations, dynamic.plt_relocations}) {
      for (const ElfW(Rela) & relocation : relocations) {
        const auto type = ELF64_R_TYPE(relocation.r_info);
        if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64) continue;
        if (ELF64_R_SYM(relocation.r_info) == 0 || relocation.r_addend != 0) continue;
        add(info, *own, dynamic, relocation);
      }
    }
  }

  /// Tables of virtual functions of a library that is not watched: whoever has an object calls through them.
  void read_tables(const dl_phdr_info& info) {
    const Module* const own = info.dlpi_phnum > 0 ? module_at(info.dlpi_addr + first_address(info)) : nullptr;
    if (!own || own->kind != Module::Kind::opaque) return;
    // Facets of libstdc++ are found there by Muster's own, and what is left of it, and of libc++abi, are exceptions and
    // types.
    for (const char* known : {"/libstdc++.so", "/libc++abi.so"}) {
      if (own->path.find(known) != std::string::npos) return;
    }
    ElfFile file(own->path);
    const std::string symbols = file.content(".dynsym"), names = file.content(".dynstr");
    for (std::size_t at = 0; at + sizeof(ElfW(Sym)) <= symbols.size(); at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) continue;
      const std::string_view name = names.c_str() + symbol.st_name;
      if (!name.starts_with("_ZTV")) continue;
      auto* const table = reinterpret_cast<std::byte*>(info.dlpi_addr + symbol.st_value);
      add_functions(info, {table, symbol.st_size}, name);
    }
  }

  /// The same, copied by the loader into a program that refers to them.
  void read_copied_tables(const dl_phdr_info& info) {
    const Module* const own = info.dlpi_phnum > 0 ? module_at(info.dlpi_addr + first_address(info)) : nullptr;
    if (!own || own->kind != Module::Kind::program) return;
    const DynamicSection dynamic(info);
    for (const ElfW(Rela) & relocation : dynamic.relocations) {
      if (ELF64_R_TYPE(relocation.r_info) != R_X86_64_COPY) continue;
      const std::string_view name = dynamic.name_of(relocation);
      if (!name.starts_with("_ZTV")) continue;
      auto* const table = reinterpret_cast<std::byte*>(info.dlpi_addr + relocation.r_offset);
      add_functions(info, {table, dynamic.symbols[ELF64_R_SYM(relocation.r_info)].st_size}, name);
    }
  }

  std::vector<Import> imports;

 private:
  /// "vtable for pool::Queue" is the name of a table.
  static std::string virtual_function_of(std::string_view table) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(std::string(table).c_str(), nullptr, nullptr, &status), std::free);
    constexpr std::string_view prefix = "vtable for ";
    const std::string_view name = status == 0 ? std::string_view(plain.get()) : table;
    return "a virtual function of " + std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
  }

  void add_functions(const dl_phdr_info& info, std::span<std::byte> table, std::string_view table_name) {
    auto* const words = reinterpret_cast<std::uintptr_t*>(table.data());
    for (std::size_t i = 0; i < table.size() / sizeof *words; ++i) {
      const Code* const code = code_at(words[i]);
      if (!code || code->module->kind != Module::Kind::opaque) continue;
      Dl_info found{};
      const bool is_known = dladdr(reinterpret_cast<void*>(words[i]), &found) != 0 && found.dli_sname &&
                            found.dli_saddr == reinterpret_cast<void*>(words[i]);
      add(is_known ? found.dli_sname : virtual_function_of(table_name), *code, words[i], info, words + i);
    }
  }

  static std::uintptr_t first_address(const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      if (info.dlpi_phdr[i].p_type == PT_LOAD) return info.dlpi_phdr[i].p_vaddr;
    }
    return 0;
  }

  static bool is_protected(const dl_phdr_info& info, std::uintptr_t address) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info.dlpi_phdr[i];
      if (header.p_type == PT_GNU_RELRO && address - (info.dlpi_addr + header.p_vaddr) < header.p_memsz) return true;
    }
    return false;
  }

  const Module* module_at(std::uintptr_t address) const {
    for (const Module& module : modules_) {
      if (address >= module.begin && address < module.end) return &module;
    }
    return nullptr;
  }

  const Code* code_at(std::uintptr_t address) const {
    const auto found =
        std::ranges::find_if(code_, [&](const Code& c) { return address >= c.begin && address < c.end; });
    return found == code_.end() ? nullptr : &*found;
  }

  /// Where a function is that the loader has not looked for yet.
  std::uintptr_t look_up(const DynamicSection& dynamic, const ElfW(Rela) & relocation, const Module& except) const {
    const char* const name = dynamic.name_of(relocation);
    const char* const version = dynamic.version_of(relocation);
    const auto in = [&](void* handle) {
      void* found = version ? dlvsym(handle, name, version) : dlsym(handle, name);
      return reinterpret_cast<std::uintptr_t>(found);
    };
    const std::uintptr_t found = in(RTLD_DEFAULT);
    if (found < except.begin || found >= except.end) return found;
    // The program's own stub stands for the function wherever its address is compared: who is behind it?
    for (const Module& module : modules_) {
      if (&module == &except || module.path.empty()) continue;
      void* const handle = dlopen(module.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
      if (!handle) continue;
      const std::uintptr_t address = in(handle);
      dlclose(handle);
      if (address != 0 && (address < except.begin || address >= except.end)) return address;
    }
    return 0;
  }

  void add(const dl_phdr_info& info, const Module& own, const DynamicSection& dynamic, const ElfW(Rela) & relocation) {
    auto* const word = reinterpret_cast<std::uintptr_t*>(info.dlpi_addr + relocation.r_offset);
    std::uintptr_t target = *word;
    const bool is_lazy =
        ELF64_R_TYPE(relocation.r_info) == R_X86_64_JUMP_SLOT && target >= own.begin && target < own.end;
    if (is_lazy) target = look_up(dynamic, relocation, own);
    const Code* const code = code_at(target);
    if (!code || code->module == &own) return;  // data, or nothing of somebody else
    add(dynamic.name_of(relocation), *code, target, info, word);
  }

  void add(const std::string& name, const Code& code, std::uintptr_t target, const dl_phdr_info& info,
           std::uintptr_t* word) {
    const auto [found, is_new] = numbers_.emplace(std::pair(name, target), imports.size());
    if (is_new) {
      const std::string& path = code.module->path;
      imports.push_back({name, path.substr(path.rfind('/') + 1), code.module->kind, target, {}});
    }
    const auto address = reinterpret_cast<std::uintptr_t>(word);
    imports[found->second].slots.push_back({word, is_protected(info, address)});
  }

  const std::vector<Module>& modules_;
  std::vector<Code> code_;
  std::map<std::pair<std::string, std::uintptr_t>, std::size_t> numbers_;
};

template <class Function>
void for_each_module(Function function) {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* told) {
        (*static_cast<Function*>(told))(*info);
        return 0;
      },
      &function);
}

}  // namespace

std::vector<Import> imports_of_watched_code(const std::vector<Module>& modules) {
  ImportReader reader(modules);
  // The loader's list is locked while it is gone through: who looks up functions does so afterwards.
  std::vector<dl_phdr_info> infos;
  for_each_module([&](const dl_phdr_info& info) { infos.push_back(info); });
  for (const dl_phdr_info& info : infos) {
    reader.read(info);
    reader.read_tables(info);
    reader.read_copied_tables(info);
  }
  return std::move(reader.imports);
}

}  // namespace muster
