#include "harness/saved/saved.hpp"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "harness/follow/follow.hpp"
#include "harness/options/build_fingerprint.hpp"
#include "harness/options/heap_policy.hpp"
#include "rule/registry.hpp"
#include "schedule/schedule.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;

/// "queue-1", and not what else people keep in a folder.
bool is_id(const std::string& file) {
  const auto dash = file.rfind('-');
  return dash != std::string::npos && dash > 0 && dash + 1 < file.size() &&
         file.find_first_not_of("0123456789", dash + 1) == std::string::npos;
}

/// Whether it is of a scenario or check of this program: several share a folder.
bool is_ours(const std::string& id) {
  const auto named = [&](const std::string& name) { return id.substr(0, id.rfind('-')) == name; };
  return is_id(id) && (std::ranges::any_of(scenarios(), named, &Scenario::name) ||
                       std::ranges::any_of(checks(), [&](const auto& check) { return named(check->name); }));
}

/// What could have been meant by a name that there is not.
std::string saved_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_ours(entry.path().filename())) names.push_back(entry.path().filename());
  }
  if (names.empty()) return "nothing of this program is saved there (--folder names another folder)";
  std::sort(names.begin(), names.end());
  return fmt::format("saved are {}", fmt::join(names, ", "));
}

/// The longest schedule takes a quarter of a megabyte.
constexpr std::uintmax_t largest = 4 << 20;

SavedFailure read(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) fail("{}: no file", path.string());
  if (fs::file_size(path, problem) > largest) fail("{}: too large for a saved failure", path.string());
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) fail("{}: cannot be read", path.string());
  SavedFailure saved = parse_saved_failure(text, path.string());
  saved.id = path.filename();
  try {
    parse_heap_policy(saved.heap);
    parse_schedule(saved.schedule);
  } catch (const Error& error) {
    fail("{}: {}", path.string(), excerpt(error.what()));
  }
  return saved;
}

/// One execution may show several races.
bool is_same(const SavedFailure& saved, const Finding& finding) {
  return saved.kind == finding.kind && saved.schedule == finding.schedule && saved.test == finding.test &&
         saved.sentence == one_line(finding.sentence);
}

/// Whether the finding may be written there: nothing is, or the same one, or one of its kind that an earlier build
/// showed.
bool takes(const fs::path& path, const Finding& finding) {
  std::error_code problem;
  if (!fs::exists(fs::symlink_status(path, problem))) return true;
  try {
    const SavedFailure there = read(path);
    return there.kind == finding.kind && (there.build != build_fingerprint() || is_same(there, finding));
  } catch (const Error&) {
    return false;  // whatever it is, somebody may want it back
  }
}

SavedFailure to_saved(const Finding& finding, const HarnessOptions& options) {
  SavedFailure saved;
  static_cast<Reproduction&>(saved) = finding;
  saved.heap = name(options.explore.runtime.heap);
  saved.spurious_failures = options.explore.runtime.spurious_failures;
  saved.races = options.report_races;
  saved.build = build_fingerprint();
  saved.planned |= options.explore.runtime.planned;
  std::error_code problem;
  if (!options.against.empty()) saved.against = fs::absolute(options.against, problem).string();
  saved.quasi = options.quasi;
  saved.spec = options.spec;
  saved.classic = options.classic;
  saved.arguments = options.arguments;
  return saved;
}

/// A file is there with all that it says, or not at all.
void write(const fs::path& path, const std::string& text) {
  fs::path unfinished = path;
  unfinished += fmt::format(".{}", getpid());
  std::ofstream file(unfinished, std::ios::binary);
  file << text;
  file.close();
  std::error_code problem;
  if (file) fs::rename(unfinished, path, problem);
  if (file && !problem) return;
  const std::string why = problem ? problem.message() : std::strerror(errno);
  fs::remove(unfinished, problem);
  fail("{}: cannot be written: {}", path.string(), why);
}

}  // namespace

std::string save(const Finding& finding, const HarnessOptions& options) {
  std::error_code problem;
  fs::create_directories(options.folder, problem);
  if (!fs::is_directory(options.folder)) fail("{}: is no folder, and cannot be made one", options.folder);
  fs::path path;
  int n = 0;
  do {
    path = fs::path(options.folder) / fmt::format("{}-{}", finding.subject, ++n);
  } while (!takes(path, finding));
  write(path, to_text(to_saved(finding, options)));
  return path;
}

void adopt(HarnessOptions& options, const SavedFailure& saved) {
  options.explore.runtime.heap = parse_heap_policy(saved.heap);
  options.explore.runtime.spurious_failures = saved.spurious_failures;
  const std::vector<Decision> schedule = parse_schedule(saved.schedule);
  if (!schedule.empty()) options.explore.runtime.memory_model = schedule.front().memory_model;
  options.report_races &= saved.races;
  if (options.against.empty()) options.against = saved.against;
  if (options.quasi.empty()) options.quasi = saved.quasi;
  if (options.spec.empty()) options.spec = saved.spec;
  options.classic |= saved.classic;
  if (saved.planned) options.explore.runtime = planned_options(options.explore.runtime);
}

SavedFailure load_saved(const std::string& folder, const std::string& id) {
  const fs::path path = id.find('/') == std::string::npos ? fs::path(folder) / id : fs::path(id);
  std::error_code problem;
  if (!fs::exists(path, problem))
    fail("{}: there is no such saved failure; {}", path.string(), saved_in(path.parent_path()));
  return read(path);
}

std::vector<SavedFailure> load_all_saved(const std::string& folder,
                                         const std::function<void(const std::string&)>& skipped) {
  std::vector<fs::path> paths;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (is_id(entry.path().filename())) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<SavedFailure> all;
  for (const fs::path& path : paths) {
    try {
      all.push_back(read(path));
    } catch (const Error& error) {
      skipped(error.what());
    }
  }
  return all;
}

}  // namespace muster
