#pragma once
// Real histories and traces that are not part of the project. Tests that read them skip, saying so, where they are
// missing.

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace muster::test {

/// The folder named by MUSTER_CORPUS (default: ../shared/data from the project's root), if it is there.
inline std::optional<std::filesystem::path> corpus() {
  const char* named = std::getenv("MUSTER_CORPUS");
  const std::filesystem::path folder =
      named ? std::filesystem::path(named) : std::filesystem::path(MUSTER_SOURCE_DIR) / "../shared/data";
  if (!std::filesystem::is_directory(folder)) return std::nullopt;
  return folder;
}

}  // namespace muster::test

#define MUSTER_CORPUS_OR_SKIP(name)                                                      \
  const auto name##_folder = muster::test::corpus();                                     \
  if (!name##_folder) GTEST_SKIP() << "no corpus here: set MUSTER_CORPUS to its folder"; \
  const std::filesystem::path& name = *name##_folder
