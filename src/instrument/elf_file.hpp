#pragma once
// The file that a loaded module came from, as far as its sections tell more than what is mapped.

#include <elf.h>
#include <link.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : file_(path, std::ios::binary) {
    ElfW(Ehdr) header{};
    if (!file_.read(reinterpret_cast<char*>(&header), sizeof header)) return;
    sections_.resize(header.e_shnum);
    file_.seekg(static_cast<std::streamoff>(header.e_shoff));
    const auto size = static_cast<std::streamsize>(sections_.size() * sizeof(ElfW(Shdr)));
    if (!file_.read(reinterpret_cast<char*>(sections_.data()), size) || header.e_shstrndx >= sections_.size()) {
      sections_.clear();
      return;
    }
    names_ = content(sections_[header.e_shstrndx]);
  }

  const ElfW(Shdr) * section(std::string_view name) const {
    for (const ElfW(Shdr) & section : sections_) {
      if (section.sh_name < names_.size() && names_.c_str() + section.sh_name == name) return &section;
    }
    return nullptr;
  }

  /// Empty if there is no such section.
  std::string content(std::string_view name) {
    const ElfW(Shdr)* found = section(name);
    return found ? content(*found) : std::string();
  }

 private:
  std::string content(const ElfW(Shdr) & section) {
    std::string bytes(section.sh_type == SHT_NOBITS ? 0 : section.sh_size, '\0');
    file_.seekg(static_cast<std::streamoff>(section.sh_offset));
    file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  std::ifstream file_;
  std::vector<ElfW(Shdr)> sections_;
  std::string names_;
};

}  // namespace muster
