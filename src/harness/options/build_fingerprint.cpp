#include "harness/options/build_fingerprint.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

#include "base/hash.hpp"

namespace muster {

namespace {

/// What the linker calls the contents of a module; its own addresses if it says nothing.
std::string build_id(const dl_phdr_info& module) {
  std::string id;
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const auto& segment = module.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD) id += fmt::format("{:x}+{:x} ", segment.p_vaddr, segment.p_filesz);
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(module.dlpi_addr + segment.p_vaddr);
    const char* const end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof *note;
      const char* text = name + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU") return {text, note->n_descsz};
      at = text + (note->n_descsz + 3) / 4 * 4;
    }
  }
  return id;
}

}  // namespace

/// The kernel's own module is left out: it changes with the machine, and no search comes there.
const std::string& libraries_fingerprint() {
  static const std::string fingerprint = [] {
    std::string all;
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* all) {
          const std::string_view path = module->dlpi_name;
          if (path.empty() || path.starts_with("linux-vdso")) return 0;
          *static_cast<std::string*>(all) += std::string(path.substr(path.rfind('/') + 1)) + build_id(*module);
          return 0;
        },
        &all);
    return fmt::format("{:016x}", hash_bytes(std::as_bytes(std::span(all))));
  }();
  return fingerprint;
}

const std::string& build_fingerprint() {
  // Once: all failures of its kind that were saved before are compared with each finding.
  static const std::string fingerprint = [] {
    std::string content(std::filesystem::file_size("/proc/self/exe"), '\0');
    std::ifstream("/proc/self/exe", std::ios::binary)
        .read(content.data(), static_cast<std::streamsize>(content.size()));
    return fmt::format("{:016x}", hash_bytes(std::as_bytes(std::span(content))));
  }();
  return fingerprint;
}

}  // namespace muster
