#include "harness/options/check_progress.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "harness/options/counts_text.hpp"
#include "harness/options/sites.hpp"
#include "search/rest_text.hpp"

namespace muster {
namespace {

/// The numbers of a test that was begun. Its histories are listed.
template <class Part>
auto numbers_of(Part& part) {
  return [&part](const auto& visit) {
    each_count(visit, part);
    visit("leaves_out", part.leaves_out);
  };
}

/// Those of tests that are done.
template <class Totals>
auto totals_of(Totals& totals) {
  return [&totals](const auto& visit) {
    each_count(visit, totals);
    visit("all_schedules", totals.all_schedules);
  };
}

bool parse_met(const std::string& value, std::vector<MetHistory>& met) {
  std::istringstream words(value);
  for (std::string word; words >> word;) {
    unsigned long key = 0;
    unsigned kind = 0;
    if (std::sscanf(word.c_str(), "%lx.%x", &key, &kind) != 2) return false;
    met.push_back({key, static_cast<std::uint8_t>(kind)});
  }
  return true;
}

}  // namespace

std::string to_text(const CheckProgress& progress) {
  std::string out;
  for (const auto& [first, end] : progress.tests_done) out += fmt::format("tests: {} {}\n", first, end);
  for (const auto& [first, end] : progress.elsewhere) out += fmt::format("elsewhere: {} {}\n", first, end);
  if (progress.tests_known > 0) out += fmt::format("known: {}\n", progress.tests_known);
  out += counts_text("done", totals_of(progress.totals));
  for (const BegunTest& test : progress.begun) {
    out += fmt::format("begun: {}\n", test.number);
    out += counts_text("count", numbers_of(test.part)) + "met:";
    for (const MetHistory& history : test.part.met) out += fmt::format(" {:x}.{:x}", history.key, history.kind);
    out += " \n";
    for (const std::string& site : test.racy_sites) out += fmt::format("point: {}\n", site);
    out += to_text(*test.part.rest);
  }
  return out;
}

bool parse_entry(CheckProgress& progress, const std::string& name, const std::string& value) {
  if (name == "known") return std::sscanf(value.c_str(), "%lu", &progress.tests_known) == 1;
  if (name == "tests" || name == "elsewhere") {
    NumberRange& range = (name == "tests" ? progress.tests_done : progress.elsewhere).emplace_back();
    return std::sscanf(value.c_str(), "%lu %lu", &range.first, &range.second) == 2;
  }
  if (name == "done") return parse_count(value, totals_of(progress.totals));
  if (name == "begun") {
    BegunTest& test = progress.begun.emplace_back();
    test.part.rest.emplace();
    return std::sscanf(value.c_str(), "%lu", &test.number) == 1;
  }
  if (progress.begun.empty()) return false;
  BegunTest& test = progress.begun.back();
  if (name == "count") return parse_count(value, numbers_of(test.part));
  if (name == "met") return parse_met(value, test.part.met);
  if (name != "point") return parse_entry(*test.part.rest, name, value);
  test.racy_sites.push_back(value);
  return true;
}

std::vector<NumberRange> not_to_run(const CheckProgress& progress) {
  std::vector<NumberRange> ranges = progress.tests_done;
  ranges.insert(ranges.end(), progress.elsewhere.begin(), progress.elsewhere.end());
  return add_numbers(std::move(ranges), {});
}

std::map<std::uint64_t, TestResult> begun_tests(const CheckProgress& progress, const TestPart& part,
                                                Symbolizer& symbolizer) {
  std::map<std::uint64_t, TestResult> tests;
  for (const BegunTest& test : progress.begun) {
    TestResult& begun = tests.emplace(part.number_left(test.number), test.part).first->second;
    begun.rest->racy_sites = parse_sites(test.racy_sites, symbolizer);
  }
  return tests;
}

CheckProgress progress_after(const CheckProgress& before, const std::vector<TestResult>& results, const TestPart& part,
                             Symbolizer& symbolizer) {
  CheckProgress after;
  after.totals = before.totals;
  after.elsewhere = before.elsewhere;
  after.tests_known = TestPart(part.whole(), part.shard(), {}).source().count;
  std::vector<std::uint64_t> done;
  std::map<std::uint64_t, BegunTest> begun;
  for (const BegunTest& test : before.begun) begun[test.number] = test;
  for (const TestResult& result : results) {
    const std::uint64_t number = part.shard_number(result.number);
    if (result.verdict != TestVerdict::undecided || result.limit == Limit::sample) {
      done.push_back(number);
      after.totals.add(result);
      begun.erase(number);
    } else if (result.rest) {
      begun[number] = {number, result, name_sites(result.rest->racy_sites, symbolizer)};
    }
  }
  after.tests_done = add_numbers(before.tests_done, done);
  for (auto& [number, test] : begun) after.begun.push_back(std::move(test));
  return after;
}

}  // namespace muster
