// `muster new NAME`: a CMake project with one check, ready to build.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/new_samples.hpp"

namespace muster::cli {
namespace {

constexpr std::string_view project_file = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)
find_package(muster REQUIRED)
enable_testing()

# Name your own library targets after INSTRUMENT: they are compiled again for the check.
muster_add_check(@NAME@_check @NAME@_check.cpp)
)";

// Builds and runs the check; a failure is shown at its line.
constexpr std::string_view editor_tasks = R"({
  "version": "2.0.0",
  "tasks": [
    {
      "label": "@NAME@: build and check",
      "type": "shell",
      "command": "cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo@FLAGS@ && cmake --build build && build/@NAME@_check",
      "group": { "kind": "build", "isDefault": true },
      "problemMatcher": [
        "$gcc",
        {
          "owner": "muster",
          "source": "muster",
          "fileLocation": ["autoDetect", "${workspaceFolder}"],
          "pattern": { "regexp": "^ *(\\S.*\\S)  +([^\\s:]+):(\\d+)\\b.*\u25c4 (decides, )?here", "message": 1, "file": 2, "line": 3 }
        }
      ]
    },
    {
      "label": "@NAME@: run the saved failure again",
      "type": "shell",
      "command": "build/@NAME@_check --recheck @NAME@-1",
      "problemMatcher": []
    }
  ]
}
)";

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), fits);
}

/// The class of a check: work_queue is about WorkQueue.
std::string class_name(std::string_view name) {
  std::string out;
  bool begins_word = true;
  for (const char c : name) {
    if (c != '_') out += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins_word = c == '_';
  }
  return out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) ? "Counter" : out;
}

/// The check that fits the name of what is to be checked.
std::string_view sample_for(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const auto& [words, source] : new_samples) {
    for (std::size_t begin = 0; begin < words.size();) {
      const std::size_t end = std::min(words.find(' ', begin), words.size());
      if (name.find(words.substr(begin, end - begin)) != std::string::npos) return source;
      begin = end + 1;
    }
  }
  return std::rbegin(new_samples)->source;
}

void replace_all(std::string& text, std::string_view placeholder, std::string_view replacement) {
  for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += replacement.size())
    text.replace(at, placeholder.size(), replacement);
}

void write_file(const std::filesystem::path& path, std::string_view content, const std::string& name,
                const std::string& flags) {
  std::string text(content);
  replace_all(text, "@NAME@", name);
  replace_all(text, "@CLASS@", class_name(name));
  replace_all(text, "@FLAGS@", flags);
  std::ofstream file(path);
  file << text;
  if (!file.flush()) fail("{}: cannot be written", path.string());
}

/// What a build of the project must be told, and what comes before it, for it to find the Muster that this program
/// belongs to.
struct WayToMuster {
  std::string before, flags;
};

WayToMuster way_to_muster() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (fs::exists(folder / "CMakeCache.txt")) {
    return {fmt::format("  cmake --build {0} --target installed && cmake --install {0} --prefix ~/.local"
                        "      # Muster itself, which is not installed yet\n",
                        folder.string()),
            " -DCMAKE_PREFIX_PATH=~/.local"};
  }
  const fs::path prefix = folder.parent_path();
  if (prefix.empty() || prefix == "/usr" || prefix == "/usr/local") return {};
  return {"", " -DCMAKE_PREFIX_PATH=" + prefix.string()};
}

ExitCode create(const std::string& name) {
  if (!is_identifier(name)) fail("'{}' is no name for a check: use letters, digits and _, such as work_queue", name);
  if (std::filesystem::exists(name)) fail("{}: exists already; choose another name, or remove it", name);
  std::error_code error;
  const std::filesystem::path folder = name;
  if (!std::filesystem::create_directories(folder / ".vscode", error))
    fail("{}: cannot be made: {}", name, error.message());
  const WayToMuster muster = way_to_muster();
  write_file(folder / "CMakeLists.txt", project_file, name, muster.flags);
  write_file(folder / (name + "_check.cpp"), sample_for(name), name, muster.flags);
  write_file(folder / ".vscode" / "tasks.json", editor_tasks, name, muster.flags);
  fmt::print(
      "{0}/ written: CMakeLists.txt, {0}_check.cpp, and tasks for VS Code. Next:\n"
      "{1}"
      "  cd {0} && cmake -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo{2} && cmake --build build\n"
      "  build/{0}_check\n",
      name, muster.before, muster.flags);
  return ExitCode::no_finding;
}

}  // namespace

Action add_new(CLI::App& app) {
  app.description("Write a CMake project with one check, ready to build");
  auto name = std::make_shared<std::string>();
  app.add_option("NAME", *name, "Of the folder, the project and the check")->required();
  app.footer("Example:\n  muster new work_queue");
  return [name] { return create(*name); };
}

}  // namespace muster::cli
