#include "harness/saved.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "harness/follow.hpp"

namespace muster {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<HeapPolicy, const char*> policies[] = {
    {HeapPolicy::quarantine, "quarantine"}, {HeapPolicy::reuse, "reuse"}, {HeapPolicy::shared_reuse, "shared-reuse"}};

/// What could have been meant by a name that there is not.
std::string saved_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) names.push_back(entry.path().filename());
  if (names.empty()) return "nothing is saved there (--folder names another folder)";
  std::sort(names.begin(), names.end());
  return fmt::format("saved are {}", fmt::join(names, ", "));
}

SavedFailure read(const fs::path& path) {
  std::ifstream file(path);
  if (!file) fail("{}: there is no such saved failure; {}", path.string(), saved_in(path.parent_path()));
  SavedFailure saved;
  saved.id = path.filename();
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("# ") && saved.sentence.empty()) saved.sentence = line.substr(2);
    if (line.empty() || line[0] == '#') continue;
    const auto colon = line.find(": ");
    if (colon == std::string::npos) fail("{}:{}: expected 'name: value'", path.string(), number);
    const std::string key = line.substr(0, colon), value = line.substr(colon + 2);
    if (key == "subject") saved.subject = value;
    else if (key == "kind") saved.kind = value;
    else if (key == "schedule") saved.schedule = value;
    else if (key == "test") saved.test = value;
    else if (key == "heap") saved.heap = value;
    else if (key == "spurious") saved.spurious_failures = static_cast<unsigned>(std::stoul(value));
    else if (key == "races") saved.races = value == "on";
    else if (key == "planned") saved.planned = value == "yes";
    else if (key == "serial") saved.serial = value == "yes";
    else if (key == "against") saved.against = value;
    else if (key == "quasi") saved.quasi = value;
    else if (key == "spec") saved.spec = value;
    else if (key == "classic") saved.classic = value == "yes";
    else if (key == "argument") saved.arguments.push_back(value);
    else if (key == "racy") saved.racy_sites.push_back(value);
    else if (key == "shown") saved.shown_sites.push_back(value);
    else if (key == "build") saved.build = value;
    else fail("{}:{}: unknown entry '{}'", path.string(), number, key);
  }
  if (saved.subject.empty() || saved.schedule.empty()) fail("{}: incomplete: no subject or no schedule", path.string());
  return saved;
}

/// One execution may show several races.
bool is_same(const SavedFailure& saved, const Finding& finding) {
  return saved.schedule == finding.schedule && saved.test == finding.test && saved.sentence == finding.sentence;
}

}  // namespace

std::string_view name(HeapPolicy policy) {
  for (const auto& [value, text] : policies) {
    if (value == policy) return text;
  }
  return "";
}

HeapPolicy parse_heap_policy(const std::string& text) {
  for (const auto& [value, name] : policies) {
    if (name == text) return value;
  }
  fail("unknown heap policy '{}': use quarantine, reuse or shared-reuse", text);
}

std::string build_fingerprint() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return fmt::format("{:016x}", hash_bytes(std::as_bytes(std::span(content))));
}

std::string save(const Finding& finding, const HarnessOptions& options) {
  fs::create_directories(options.folder);
  fs::path path;
  for (int n = 1;; ++n) {
    path = fs::path(options.folder) / fmt::format("{}-{}", finding.subject, n);
    if (!fs::exists(path)) break;
    const SavedFailure there = read(path);
    if (there.kind != finding.kind) continue;
    if (there.build != build_fingerprint() || is_same(there, finding)) break;
  }
  std::ofstream file(path);
  file << "# " << finding.sentence << "\n";
  file << "subject: " << finding.subject << "\nkind: " << finding.kind << "\nschedule: " << finding.schedule << "\n";
  if (!finding.test.empty()) file << "test: " << finding.test << "\n";
  file << "heap: " << name(options.explore.runtime.heap) << "\nspurious: " << options.explore.runtime.spurious_failures << "\n";
  file << "races: " << (options.report_races ? "on" : "off") << "\nbuild: " << build_fingerprint() << "\n";
  if (options.explore.runtime.planned || finding.planned) file << "planned: yes\n";
  if (finding.serial) file << "serial: yes\n";
  if (!options.against.empty()) file << "against: " << fs::absolute(options.against).string() << "\n";
  if (!options.quasi.empty()) file << "quasi: " << options.quasi << "\n";
  if (!options.spec.empty()) file << "spec: " << options.spec << "\n";
  if (options.classic) file << "classic: yes\n";
  for (const std::string& argument : options.arguments) file << "argument: " << argument << "\n";
  for (const std::string& site : finding.racy_sites) file << "racy: " << site << "\n";
  for (const std::string& site : finding.shown_sites) file << "shown: " << site << "\n";
  if (!file.flush()) fail("{}: cannot be written", path.string());
  return path;
}

void adopt(HarnessOptions& options, const SavedFailure& saved) {
  options.explore.runtime.heap = parse_heap_policy(saved.heap);
  options.explore.runtime.spurious_failures = saved.spurious_failures;
  options.report_races &= saved.races;
  if (options.against.empty()) options.against = saved.against;
  if (options.quasi.empty()) options.quasi = saved.quasi;
  if (options.spec.empty()) options.spec = saved.spec;
  options.classic |= saved.classic;
  if (saved.planned) options.explore.runtime = planned_options(options.explore.runtime);
}

SavedFailure load_saved(const std::string& folder, const std::string& id) {
  return read(id.find('/') == std::string::npos ? fs::path(folder) / id : fs::path(id));
}

std::vector<SavedFailure> saved_failures_of(const std::string& folder, const std::string& subject) {
  std::vector<SavedFailure> found;
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename();
    if (!file.starts_with(subject + "-") || file.find_first_not_of("0123456789", subject.size() + 1) != std::string::npos) continue;
    SavedFailure saved = read(entry.path());
    if (saved.subject == subject) found.push_back(std::move(saved));
  }
  std::sort(found.begin(), found.end(), [](const SavedFailure& a, const SavedFailure& b) { return a.id < b.id; });
  return found;
}

}  // namespace muster
