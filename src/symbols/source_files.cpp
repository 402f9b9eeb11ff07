#include "symbols/source_files.hpp"

#include <filesystem>
#include <fstream>

namespace muster {
namespace {

constexpr std::uintmax_t largest = 8 << 20;

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem) || std::filesystem::file_size(path, problem) > largest)
    return lines;
  std::ifstream file(path);
  constexpr const char* spaces = " \t\r";
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find_first_not_of(spaces);
    lines.push_back(begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(spaces) + 1 - begin));
  }
  return lines;
}

}  // namespace

const std::string& SourceFiles::line(const std::string& file, int number) {
  static const std::string none;
  const auto [entry, fresh] = lines_.try_emplace(file);
  if (fresh) entry->second = read_lines(file);
  const auto index = static_cast<std::size_t>(number) - 1;
  return number > 0 && index < entry->second.size() ? entry->second[index] : none;
}

}  // namespace muster
