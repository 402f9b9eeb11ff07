#pragma once
// What a loaded module tells the loader: its symbols, and the places that the loader filled in.

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster {

class DynamicSection {
 public:
  explicit DynamicSection(const dl_phdr_info& info);

  const char* strings = nullptr;
  std::size_t strings_size = 0;
  const ElfW(Sym) * symbols = nullptr;
  std::span<const ElfW(Rela)> relocations;      // of data, filled in when the module was loaded
  std::span<const ElfW(Rela)> plt_relocations;  // of functions, perhaps filled in when they are called first
  std::vector<std::size_t> needed;              // offsets of names

  const char* name_of(const ElfW(Rela) & relocation) const {
    return strings + symbols[ELF64_R_SYM(relocation.r_info)].st_name;
  }
  /// The version of the symbol that is asked for, as "GLIBC_2.2.5"; nothing if any will do.
  const char* version_of(const ElfW(Rela) & relocation) const;

 private:
  const ElfW(Half) * versions_ = nullptr;  // of each symbol
  const ElfW(Verneed) * needed_versions_ = nullptr;
};

}  // namespace muster
