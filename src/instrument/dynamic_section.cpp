#include "instrument/dynamic_section.hpp"

namespace muster {
namespace {

const ElfW(Dyn) * dynamic_entries(const dl_phdr_info& info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
  }
  return nullptr;
}

}  // namespace

DynamicSection::DynamicSection(const dl_phdr_info& info) {
  const ElfW(Dyn)* entry = dynamic_entries(info);
  if (!entry) return;
  // glibc has made the addresses absolute, except in the vdso.
  const auto at = [&]<class T>(T*& pointer, ElfW(Addr) value) {
    pointer = reinterpret_cast<T*>(value < info.dlpi_addr ? value + info.dlpi_addr : value);
  };
  const ElfW(Rela)* data = nullptr, *plt = nullptr;
  std::size_t data_size = 0, plt_size = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_STRTAB:
        at(strings, entry->d_un.d_ptr);
        break;
      case DT_STRSZ:
        strings_size = entry->d_un.d_val;
        break;
      case DT_SYMTAB:
        at(symbols, entry->d_un.d_ptr);
        break;
      case DT_RELA:
        at(data, entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        data_size = entry->d_un.d_val;
        break;
      case DT_JMPREL:
        at(plt, entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        plt_size = entry->d_un.d_val;
        break;
      case DT_VERSYM:
        at(versions_, entry->d_un.d_ptr);
        break;
      case DT_VERNEED:
        at(needed_versions_, entry->d_un.d_ptr);
        break;
      case DT_NEEDED:
        needed.push_back(entry->d_un.d_val);
        break;
      default:
        break;
    }
  }
  if (data) relocations = {data, data_size / sizeof *data};
  if (plt) plt_relocations = {plt, plt_size / sizeof *plt};
}

const char* DynamicSection::version_of(const ElfW(Rela) & relocation) const {
  if (!versions_ || !needed_versions_) return nullptr;
  constexpr ElfW(Half) number_bits = 0x7fff;
  const ElfW(Half) wanted = versions_[ELF64_R_SYM(relocation.r_info)] & number_bits;
  const auto* library = reinterpret_cast<const std::byte*>(needed_versions_);
  for (;;) {
    const auto& file = *reinterpret_cast<const ElfW(Verneed)*>(library);
    const std::byte* entry = library + file.vn_aux;
    for (unsigned i = 0; i < file.vn_cnt; ++i) {
      const auto& version = *reinterpret_cast<const ElfW(Vernaux)*>(entry);
      if (version.vna_other == wanted) return strings + version.vna_name;
      entry += version.vna_next;
    }
    if (file.vn_next == 0) return nullptr;
    library += file.vn_next;
  }
}

}  // namespace muster
