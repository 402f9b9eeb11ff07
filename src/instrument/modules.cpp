#include "instrument/modules.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "instrument/dynamic_section.hpp"
#include "instrument/elf_file.hpp"

namespace muster {
namespace {

struct Range {
  std::uintptr_t begin = 0, end = 0;
};

// Fixed tables: they are read inside malloc.
template <std::size_t Capacity>
class RangeTable {
 public:
  void clear() { count_ = 0; }
  void add(Range range) {
    if (count_ < Capacity) ranges_[count_++] = range;
  }
  bool contains(std::uintptr_t address) const {
    for (unsigned i = 0; i < count_; ++i) {
      if (address - ranges_[i].begin < ranges_[i].end - ranges_[i].begin) return true;
    }
    return false;
  }
  bool may_contain(std::uint32_t low_half) const {
    for (unsigned i = 0; i < count_; ++i) {
      if (low_half - static_cast<std::uint32_t>(ranges_[i].begin) < ranges_[i].end - ranges_[i].begin) return true;
    }
    return false;
  }

 private:
  std::array<Range, Capacity> ranges_{};
  unsigned count_ = 0;
};

RangeTable<16> system_code;
RangeTable<64> watched_code;
RangeTable<64> opaque_code;
RangeTable<256> lasting;
RangeTable<64> copied;
RangeTable<16> libcxx_data;

Module::Kind kind_of(std::string_view path, bool first, bool instrumented) {
  if (first) return Module::Kind::program;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const std::string_view name :
       {"libc.so", "ld-linux", "libgcc_s", "libmuster", "libm.so", "libdw", "libelf", "linux-vdso"}) {
    if (file.starts_with(name)) return Module::Kind::system;
  }
  if (path.empty()) return Module::Kind::system;
  return instrumented ? Module::Kind::instrumented : Module::Kind::opaque;
}

bool mentions_hooks(const DynamicSection& dynamic) {
  return dynamic.strings && memmem(dynamic.strings, dynamic.strings_size, "\0__tsan_", 8) != nullptr;
}

void cut(std::vector<Range>& ranges, Range hole) {
  std::vector<Range> rest;
  for (const Range& range : ranges) {
    if (hole.end <= range.begin || hole.begin >= range.end) {
      rest.push_back(range);
      continue;
    }
    if (range.begin < hole.begin) rest.push_back({range.begin, hole.begin});
    if (hole.end < range.end) rest.push_back({hole.end, range.end});
  }
  ranges = std::move(rest);
}

/// Objects such as stdout, which live in a library but were copied here by the loader, are the library's state, not the
/// program's.
std::vector<Range> copied_objects(const dl_phdr_info& info, const DynamicSection& dynamic) {
  std::vector<Range> found;
  for (const ElfW(Rela) & relocation : dynamic.relocations) {
    if (ELF64_R_TYPE(relocation.r_info) != R_X86_64_COPY) continue;
    const ElfW(Sym)& symbol = dynamic.symbols[ELF64_R_SYM(relocation.r_info)];
    const std::uintptr_t begin = info.dlpi_addr + relocation.r_offset;
    found.push_back({begin, begin + symbol.st_size});
  }
  return found;
}

std::vector<std::span<std::byte>> bytes_of(const std::vector<Range>& ranges) {
  std::vector<std::span<std::byte>> spans;
  for (const Range& range : ranges)
    spans.emplace_back(reinterpret_cast<std::byte*>(range.begin), range.end - range.begin);
  return spans;
}

Module module_of(const dl_phdr_info& info, bool first) {
  const DynamicSection dynamic(info);
  Module module{
      info.dlpi_name, kind_of(info.dlpi_name, first, mentions_hooks(dynamic)), ~std::uintptr_t{0}, 0, {}, {}, {}, {}};
  for (const std::size_t name : dynamic.needed) module.needed.emplace_back(dynamic.strings + name);
  std::vector<Range> data;
  Range protected_by_loader;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& header = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (header.p_type == PT_GNU_RELRO) protected_by_loader = {begin & ~4095ul, (end + 4095) & ~4095ul};
    if (header.p_type != PT_LOAD) continue;
    module.begin = std::min(module.begin, begin);
    module.end = std::max(module.end, end);
    if (header.p_flags & PF_W) data.push_back({begin, end});
    if (header.p_flags & PF_X) module.code.emplace_back(reinterpret_cast<std::byte*>(begin), end - begin);
  }
  cut(data, protected_by_loader);
  const std::vector<Range> objects = copied_objects(info, dynamic);
  for (const Range& object : objects) cut(data, object);
  module.data = bytes_of(data);
  module.copied = bytes_of(objects);
  return module;
}

/// Its data, and where the loader copied streams out of it.
void remember_libcxx(const Module& libcxx) {
  libcxx_is_loaded = true;
  libcxx_data.add({libcxx.begin, libcxx.end});
  for (const char* name : {"_ZNSt3__14coutE", "_ZNSt3__13cinE", "_ZNSt3__14cerrE", "_ZNSt3__14clogE",
                           "_ZNSt3__15wcoutE", "_ZNSt3__14wcinE", "_ZNSt3__15wcerrE", "_ZNSt3__15wclogE"}) {
    constexpr std::size_t stream_size = 0xa8;
    const auto stream = reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, name));
    if (stream) libcxx_data.add({stream, stream + stream_size});
  }
}

}  // namespace

std::vector<Module> loaded_modules() {
  std::vector<Module> modules;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        auto& list = *static_cast<std::vector<Module>*>(into);
        list.push_back(module_of(*info, list.empty()));
        return 0;
      },
      &modules);
  return modules;
}

void remember_modules(const std::vector<Module>& modules) {
  system_code.clear();
  watched_code.clear();
  opaque_code.clear();
  lasting.clear();
  copied.clear();
  libcxx_data.clear();
  for (const Module& module : modules) {
    if (module.kind == Module::Kind::program || module.kind == Module::Kind::instrumented)
      watched_code.add({module.begin, module.end});
    if (module.kind == Module::Kind::system) system_code.add({module.begin, module.end});
    if (module.kind == Module::Kind::opaque && module.path.find("/libstdc++") == std::string::npos)
      opaque_code.add({module.begin, module.end});
    if (module.kind == Module::Kind::system || module.kind == Module::Kind::opaque)
      lasting.add({module.begin, module.end});
    if (module.path.find("/libc++.so") != std::string::npos) remember_libcxx(module);
    for (const auto& object : module.copied) {
      const auto begin = reinterpret_cast<std::uintptr_t>(object.data());
      copied.add({begin, begin + object.size()});
    }
  }
}

bool is_standard_library(std::string_view file) {
  return file.starts_with("libstdc++.so") || file.starts_with("libc++") || file.starts_with("libunwind.so");
}

bool is_system_code(std::uintptr_t address) { return system_code.contains(address); }

bool is_opaque_code(std::uintptr_t address) { return opaque_code.contains(address); }

bool may_be_opaque_code(std::uint32_t low_half) {
  return opaque_code.may_contain(low_half) && !watched_code.may_contain(low_half);
}

bool is_watched_code(std::uintptr_t address) { return watched_code.contains(address); }

bool is_lasting(const volatile void* object) { return lasting.contains(reinterpret_cast<std::uintptr_t>(object)); }

bool is_library_data(const volatile void* object) {
  return is_lasting(object) || copied.contains(reinterpret_cast<std::uintptr_t>(object));
}

bool libcxx_is_loaded = false;
bool is_libcxx_data(std::uintptr_t address) { return libcxx_data.contains(address); }

bool has_code_of_clang() {
  // Every compiler signs this section of what it makes.
  return ElfFile("/proc/self/exe").content(".comment").find("clang version") != std::string::npos;
}

}  // namespace muster
