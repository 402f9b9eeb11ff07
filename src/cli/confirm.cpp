#include "cli/confirm.hpp"

#include <stdlib.h>

#include <algorithm>
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
  std::getline(file, outcome.reason);
  std::getline(file, outcome.saved);
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) outcome.other.push_back(line);
  return outcome;
}

/// The plans of a list of predictions, in files that begin with `kind`.
class PlanFiles {
 public:
  PlanFiles(const fs::path& folder, std::string kind) : folder_(folder), kind_(std::move(kind)) {}

  template <class List>
  std::size_t write_all(const List& predictions) const {
    std::size_t plans = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (!predictions[i].plan) continue;
      write(path(i, ".plan"), to_text(*predictions[i].plan));
      ++plans;
    }
    return plans;
  }

  template <class List>
  std::vector<Reexecution> outcomes(const List& predictions) const {
    std::vector<Reexecution> outcomes(predictions.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (fs::exists(path(i, ".outcome"))) outcomes[i] = read_outcome(path(i, ".outcome"));
    return outcomes;
  }

 private:
  fs::path path(std::size_t i, const char* ending) const { return folder_ / (kind_ + std::to_string(i) + ending); }

  const fs::path& folder_;
  std::string kind_;
};

bool any(const std::vector<Reexecution>& outcomes, bool (*is)(const Reexecution&)) {
  return std::ranges::any_of(outcomes, is);
}

}  // namespace

bool Reexecutions::show_anything() const {
  const auto shows = [](const Reexecution& each) { return !each.saved.empty(); };
  return any(groups, shows) || any(deadlocks, shows);
}

Reexecutions confirm(const predict::Report& report, const std::string& program, const std::string& about) {
  const TemporaryFolder folder;
  const PlanFiles groups(folder.path(), "place-"), deadlocks(folder.path(), "deadlock-");
  write(folder.path() / "run", about);
  const std::size_t plans = groups.write_all(report.groups) + deadlocks.write_all(report.deadlocks.predictions);
  if (plans == 0) return {};
  const ProcessEnd end = run_process({program}, {{"MUSTER_CONFIRM", folder.path().string()}});
  Reexecutions outcomes{groups.outcomes(report.groups), deadlocks.outcomes(report.deadlocks.predictions)};
  const auto happened = [](const Reexecution& each) { return !each.word.empty(); };
  if (!any(outcomes.groups, happened) && !any(outcomes.deadlocks, happened))
    fail(
        "{} re-executed nothing (exit code {}): it has to be the program that was recorded, linked with Muster's "
        "runtime",
        program, end.code);
  return outcomes;
}

}  // namespace muster::cli
