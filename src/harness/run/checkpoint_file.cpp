#include "harness/run/checkpoint_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/error.hpp"
#include "harness/options/build_fingerprint.hpp"
#include "harness/options/counts_text.hpp"
#include "harness/options/heap_policy.hpp"
#include "search/rest_text.hpp"

namespace muster {
namespace {

template <class Tally>
auto counts_of(Tally& tally) {
  return [&tally](const auto& visit) { each_count(visit, tally); };
}

}  // namespace

std::string search_settings(const HarnessOptions& options) {
  const StrategyConfig& strategy = options.strategy;
  const RuntimeOptions& runtime = options.explore.runtime;
  return fmt::format(
      "strategy {} bound {} late {} seed {} depth {} size {} tests {}{} auto {} heap {} spurious {} symmetry {} shard "
      "{}/{} memory {}",
      static_cast<unsigned>(strategy.kind), strategy.preemptions, strategy.late_yields, strategy.seed, strategy.depth,
      options.size, options.tests, options.uniform_tests ? " uniform" : "", options.automatic, name(runtime.heap),
      runtime.spurious_failures, static_cast<unsigned>(strategy.symmetry), options.shard.number, options.shard.count,
      runtime.memory_model == MemoryModel::c11 ? "c11" : "sc");
}

void save_checkpoint(const std::string& path, const ProgramCheckpoint& checkpoint, const HarnessOptions& options) {
  std::string text =
      fmt::format("muster-checkpoint: 1\nbuild: {}\nsettings: {}\n", build_fingerprint(), search_settings(options));
  for (const std::string& subject : checkpoint.finished) text += fmt::format("finished: {}\n", subject);
  if (!checkpoint.subject.empty()) text += fmt::format("subject: {}\n", checkpoint.subject);
  text += to_text(checkpoint.check);
  for (const std::string& site : checkpoint.racy_sites) text += fmt::format("racy: {}\n", site);
  if (const BegunSearch& search = checkpoint.search; search.rest.begun)
    text += counts_text("made", counts_of(search.made)) + to_text(search.rest);
  std::ofstream file(path);
  file << text;
  if (!file.flush()) fail("{}: cannot be written", path);
}

ProgramCheckpoint load_checkpoint(const std::string& path, const HarnessOptions& options) {
  std::ifstream file(path);
  if (!file) fail("{}: cannot be read; --checkpoint FILE writes one when a run is stopped", path);
  ProgramCheckpoint checkpoint;
  std::string line, rest;
  bool known_version = false;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) fail("{}:{}: expected 'name: value'", path, number);
    const std::string key = line.substr(0, colon), value = line.substr(colon + 2);
    if (key == "muster-checkpoint")
      known_version = value == "1";
    else if (key == "build") {
      if (value != build_fingerprint())
        fail("{}: made by another build of this program: what was explored then says nothing about this one", path);
    } else if (key == "settings") {
      if (value != search_settings(options)) fail("{}: made with other settings ({}); give the same ones", path, value);
    } else if (key == "finished")
      checkpoint.finished.push_back(value);
    else if (key == "subject")
      checkpoint.subject = value;
    else if (key == "racy")
      checkpoint.racy_sites.push_back(value);
    else if (key == "made"
                 ? !parse_count(value, counts_of(checkpoint.search.made))
                 : !parse_entry(checkpoint.check, key, value) && !parse_entry(checkpoint.search.rest, key, value))
      fail("{}:{}: '{}' is no part of a checkpoint; was the file changed?", path, number, line.substr(0, 60));
  }
  if (!known_version) fail("{}: no checkpoint that this version knows", path);
  return checkpoint;
}

}  // namespace muster
