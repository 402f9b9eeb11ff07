#include "harness/run/checkpoint_file.hpp"

#include <fmt/format.h>

#include <stdio.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "finding/json.hpp"
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

/// A file is there with all that it says, or as it was before: whoever writes it may be killed.
void write_whole(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".unfinished";
  std::ofstream file(unfinished);
  file << text;
  if (!file.flush() || rename(unfinished.c_str(), path.c_str()) != 0) fail("{}: cannot be written", path);
}

}  // namespace

std::string search_settings(const HarnessOptions& options) {
  const StrategyConfig& strategy = options.strategy;
  const RuntimeOptions& runtime = options.explore.runtime;
  return fmt::format(
      "strategy {} bound {} late {} seed {} depth {} size {} tests {} auto {} heap {} spurious {} symmetry {} shard "
      "{}/{}",
      static_cast<unsigned>(strategy.kind), strategy.preemptions, strategy.late_yields, strategy.seed, strategy.depth,
      options.size, options.tests, options.automatic, name(runtime.heap), runtime.spurious_failures,
      static_cast<unsigned>(strategy.symmetry), options.shard.number, options.shard.count);
}

std::string part_name(const std::string& division) {
  unsigned number = 0, count = 0;
  if (std::sscanf(division.c_str(), "%u %u", &number, &count) != 2) fail("'{}' is no part of a search", division);
  return fmt::format("part {} of {}", number, count);
}

bool has_learned(const ProgramCheckpoint& checkpoint) {
  return checkpoint.search.rest.learned ||
         std::ranges::any_of(checkpoint.check.begun, [](const BegunTest& test) { return test.part.rest->learned; });
}

void save_checkpoint(const std::string& path, const ProgramCheckpoint& checkpoint, const HarnessOptions& options,
                     const PartResult* result) {
  std::string text = fmt::format("muster-checkpoint: 2\nbuild: {}\nlibraries: {}\nsettings: {}\n", build_fingerprint(),
                                 libraries_fingerprint(), search_settings(options));
  if (!checkpoint.division.empty()) text += fmt::format("division: {}\n", checkpoint.division);
  if (result)
    text += fmt::format("outcome: {}\nreport: {}\n", result->outcome, to_json(result->report, JsonLayout::compact));
  for (const std::string& subject : checkpoint.finished) text += fmt::format("finished: {}\n", subject);
  if (!checkpoint.subject.empty()) text += fmt::format("subject: {}\n", checkpoint.subject);
  text += to_text(checkpoint.check);
  for (const std::string& site : checkpoint.racy_sites) text += fmt::format("racy: {}\n", site);
  if (const BegunSearch& search = checkpoint.search; search.rest.begun || search.rest.learned)
    text += counts_text("made", counts_of(search.made)) + to_text(search.rest);
  write_whole(path, text);
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
      known_version = value == "2";
    else if (key == "build") {
      if (value != build_fingerprint())
        fail("{}: made by another build of this program: what was explored then says nothing about this one", path);
    } else if (key == "libraries") {
      if (value != libraries_fingerprint())
        fail("{}: made with other libraries than this program finds here: run it where they are the same", path);
    } else if (key == "division") {
      checkpoint.division = value;
    } else if (key == "outcome" || key == "report") {
      continue;  // for whoever joins the parts
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
