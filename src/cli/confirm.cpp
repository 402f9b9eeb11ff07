#include "cli/confirm.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "cli/process.hpp"

namespace muster::cli {

namespace {

namespace fs = std::filesystem;

/// A folder that goes away with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "muster-confirm-XXXXXX").string();
    if (!mkdtemp(name.data())) fail("{}: cannot be made", name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) fail("{}: cannot be written", path.string());
}

Reexecution read_outcome(const fs::path& path) {
  Reexecution outcome;
  std::ifstream file(path);
  std::getline(file, outcome.word);
  std::getline(file, outcome.detail);
  for (std::string line; std::getline(file, line);) outcome.other.push_back(line);
  return outcome;
}

}  // namespace

std::vector<Reexecution> confirm(const predict::Report& report, const std::string& program, const std::string& about) {
  const TemporaryFolder folder;
  const auto file = [&](std::size_t i, const char* ending) { return folder.path() / (std::to_string(i) + ending); };
  write(folder.path() / "run", about);
  std::size_t plans = 0;
  for (std::size_t i = 0; i < report.groups.size(); ++i) {
    if (!report.groups[i].plan) continue;
    write(file(i, ".plan"), to_text(*report.groups[i].plan));
    ++plans;
  }
  std::vector<Reexecution> outcomes(report.groups.size());
  if (plans == 0) return outcomes;
  const ProcessEnd end = run_process({program}, {{"MUSTER_CONFIRM", folder.path().string()}});
  std::size_t found = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!fs::exists(file(i, ".outcome"))) continue;
    outcomes[i] = read_outcome(file(i, ".outcome"));
    ++found;
  }
  if (found == 0)
    fail(
        "{} re-executed nothing (exit code {}): it has to be the program that was recorded, linked with Muster's "
        "runtime",
        program, end.code);
  return outcomes;
}

}  // namespace muster::cli
