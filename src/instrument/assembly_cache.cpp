#include "instrument/assembly_cache.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>

#include "base/hash.hpp"
#include "instrument/elf_file.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;

/// What the linker calls this build of the file, in hexadecimal digits; empty if it does not say, or if nothing is to
/// be kept of it.
std::string build_id_of(const std::string& path) {
  ElfFile file(path);
  if (!file.section(".symtab")) return {};  // a copy without names: nothing is found in it
  const std::string note = file.content(".note.gnu.build-id");
  Elf64_Nhdr header;
  if (note.size() < sizeof header) return {};
  std::memcpy(&header, note.data(), sizeof header);
  const std::size_t begin = sizeof header + ((header.n_namesz + 3) & ~3u);
  if (header.n_type != NT_GNU_BUILD_ID || begin + header.n_descsz > note.size()) return {};
  std::string id;
  for (const unsigned char byte : note.substr(begin, header.n_descsz)) id += fmt::format("{:02x}", byte);
  return id;
}

/// Builds share so many files: of what was built long ago nothing is kept for ever.
constexpr unsigned places = 256;

fs::path place_of(const std::string& id) {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if ((!cache || !*cache) && (!home || !*home)) return {};
  const fs::path folder = cache && *cache ? fs::path(cache) : fs::path(home) / ".cache";
  return folder / "muster" / fmt::format("assembly-{:02x}", hash_bytes(std::as_bytes(std::span(id))) % places);
}

constexpr const char* atomic_word = "atomic ";
constexpr const char* counter_word = "counter ";
constexpr const char* last_line = "end";

/// A file that is not whole, or is of another build, says nothing.
std::optional<UnseenInstructions> read_from(const fs::path& place, const std::string& id) {
  std::ifstream file(place);
  std::string line;
  if (!std::getline(file, line) || line != id) return std::nullopt;
  UnseenInstructions found;
  while (std::getline(file, line) && line != last_line) {
    if (line.starts_with(atomic_word))
      found.atomic.push_back(line.substr(std::strlen(atomic_word)));
    else if (line.starts_with(counter_word))
      found.counters.push_back(line.substr(std::strlen(counter_word)));
    else
      return std::nullopt;
  }
  if (line != last_line) return std::nullopt;
  return found;
}

/// Whoever cannot write there reads the code again the next time.
void write_to(const fs::path& place, const std::string& id, const UnseenInstructions& found) {
  std::error_code problem;
  fs::create_directories(place.parent_path(), problem);
  if (problem) return;
  const fs::path made = fmt::format("{}.{}", place.string(), getpid());
  {
    std::ofstream file(made);
    file << id << '\n';
    for (const std::string& name : found.atomic) file << atomic_word << name << '\n';
    for (const std::string& name : found.counters) file << counter_word << name << '\n';
    file << last_line << '\n';
    if (!file.flush()) problem = std::make_error_code(std::errc::io_error);
  }
  if (!problem) fs::rename(made, place, problem);
  if (problem) fs::remove(made, problem);
}

}  // namespace

UnseenInstructions known_unseen_instructions(const std::string& path) {
  const std::string id = build_id_of(path);
  const fs::path place = id.empty() ? fs::path() : place_of(id);
  if (place.empty()) return unseen_instructions(path);
  if (auto known = read_from(place, id)) return *std::move(known);
  UnseenInstructions found = unseen_instructions(path);
  write_to(place, id, found);
  return found;
}

}  // namespace muster
