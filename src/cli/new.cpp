// `muster new NAME`: a CMake project with one check, ready to build.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace muster::cli {
namespace {

constexpr std::string_view project_file = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)
find_package(muster REQUIRED)
enable_testing()

# Name your own library targets after INSTRUMENT: they are compiled again for the check.
muster_add_check(@NAME@_check @NAME@_check.cpp)
)";

// It passes, and one line makes it fail: the first thing to try.
constexpr std::string_view check_file = R"(#include <atomic>
#include <muster/check.hpp>

class Counter {
 public:
  int next() { return value_.fetch_add(1); }  // try: const int seen = value_; value_ = seen + 1; return seen;

 private:
  std::atomic<int> value_{0};
};

MUSTER_CHECK(@NAME@) {
  auto counter = check.object<Counter>();
  counter.operation("next", &Counter::next);
}
)";

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), fits);
}

void write_file(const std::filesystem::path& path, std::string_view content, const std::string& name) {
  std::string text(content);
  constexpr std::string_view placeholder = "@NAME@";
  for (std::size_t at; (at = text.find(placeholder)) != std::string::npos;) text.replace(at, placeholder.size(), name);
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
    return {fmt::format("  cmake --install {} --prefix ~/.local      # Muster itself, which is not installed yet\n",
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
  if (!std::filesystem::create_directory(name, error)) fail("{}: cannot be made: {}", name, error.message());
  write_file(std::filesystem::path(name) / "CMakeLists.txt", project_file, name);
  write_file(std::filesystem::path(name) / (name + "_check.cpp"), check_file, name);
  const WayToMuster muster = way_to_muster();
  fmt::print(
      "{0}/CMakeLists.txt and {0}/{0}_check.cpp written. Next:\n"
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
