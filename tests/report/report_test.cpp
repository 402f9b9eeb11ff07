// Every form of a report against a golden file. MUSTER_UPDATE_GOLDEN=1 rewrites them; a changed golden is reviewed like
// code.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "finding/json.hpp"
#include "report/html.hpp"
#include "report/interleaving.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"
#include "report/terminal.hpp"
#include "support/sample_report.hpp"

namespace muster {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = MUSTER_SOURCE_DIR "/tests/report/golden/" + name;
  if (std::getenv("MUSTER_UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(read(path), text) << name << ": MUSTER_UPDATE_GOLDEN=1 rewrites it";
}

std::string drawn(const TerminalStyle& style) {
  std::string out;
  for (const Result& result : test::sample_report().results) out += draw(result, style);
  return out;
}

TEST(Golden, Terminal) {
  expect_golden("terminal.txt", drawn({.colours = false, .width = 100, .terminal = false, .program = "./queue_check"}));
}
TEST(Golden, TerminalInColours) {
  expect_golden("terminal-colours.txt",
                drawn({.colours = true, .width = 100, .terminal = true, .program = "./queue_check"}));
}
TEST(Golden, NarrowTerminal) {
  expect_golden("terminal-narrow.txt",
                drawn({.colours = false, .width = 60, .terminal = true, .program = "./queue_check"}));
}
TEST(Golden, Json) { expect_golden("report.json", to_json(test::sample_report())); }
TEST(Golden, Junit) { expect_golden("report.xml", to_junit(test::sample_report())); }
TEST(Golden, Sarif) { expect_golden("report.sarif", to_sarif(test::sample_report(), "/src")); }
TEST(Golden, DataOfThePage) {
  const std::string page = to_html(test::sample_report(),
                                   {{"/src/work_queue.hpp", {{22, "  std::lock_guard lock(mutex_);  // </script>"}}}});
  const auto begin = page.find("<script id=\"report\""), end = page.find("<script>\n");
  ASSERT_NE(begin, std::string::npos);
  expect_golden("page-data.html", page.substr(begin, end - begin));
}

TEST(Html, NothingOfTheProgramIsMarkup) {
  const std::string page = to_html(test::sample_report(), {{"a.cpp", {{1, "</script><script>alert(2)</script>"}}}});
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);
}

TEST(Html, ASmallFailureTakesLessThan300Kilobytes) { EXPECT_LT(to_html(test::sample_report(), {}).size(), 300'000u); }

/// A word that is wider than a terminal stays whole, so that it can be copied or found; it has a line of its own, but
/// for what it is for, and the backslash after which a command goes on.
bool is_one_word(const std::string& line) {
  std::istringstream words(line);
  std::string first, second, third;
  words >> first >> second >> third;
  return second.empty() || ((third.empty() || third == "\\") && line.find("  ") != std::string::npos);
}

TEST(Terminal, NoLineIsWiderThanTheTerminal) {
  for (const unsigned width : {40u, 60u, 80u, 100u, 160u}) {
    std::istringstream lines(drawn({.colours = true, .width = width, .terminal = true, .program = "./queue_check"}));
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(width_of(line) <= width || is_one_word(line)) << width << ": " << line;
  }
}

TEST(Terminal, ACommandGoesOnAfterABackslashButNotWithinQuotes) {
  Result stopped;
  stopped.outcome = Outcome::undecided;
  stopped.resume = "./queue_check work_queue --matrix 'Add(1), Add(2) | TryTake' --resume run";
  stopped.coverage.strategy = "dfs";
  const auto resume = [&](bool terminal) {
    const std::string text = draw(stopped, {.colours = false, .width = 50, .terminal = terminal, .program = ""});
    return text.substr(text.find("Resume"));
  };
  EXPECT_EQ(resume(true),
            "Resume   ./queue_check work_queue --matrix \\\n"
            "             'Add(1), Add(2) | TryTake' --resume \\\n"
            "             run\n");
  EXPECT_EQ(resume(false), "Resume   " + stopped.resume + "\n");
}

TEST(Terminal, ATestIsBrokenBetweenOperations) {
  Result failed;
  failed.outcome = Outcome::failed;
  failed.findings = {test::sample_failure()};
  failed.findings[0].matrix = {"A       Add(200)   TryTake() → nothing   TryTake() → 200"};
  const std::string text = draw(failed, {.colours = false, .width = 48, .terminal = true, .program = ""});
  EXPECT_NE(text.find("\n    A       Add(200)   TryTake() → nothing\n            TryTake() → 200\n"), std::string::npos)
      << text;
}

TEST(Terminal, MemoryOfOneThreadDoesNotMatter) {
  const auto kept = steps_that_matter(test::sample_failure().steps);
  EXPECT_EQ(kept.size(), test::sample_failure().steps.size() - 1);
}

Step step_of(std::string thread, std::string action, std::string object, std::string operation = "") {
  Step step;
  step.thread = std::move(thread);
  step.action = std::move(action);
  step.object = std::move(object);
  step.operation = std::move(operation);
  return step;
}

TEST(Terminal, TurnsOfALoopAreToldOnce) {
  std::vector<Step> steps = {step_of("A", "writes", "flag")};
  for (int turn = 0; turn < 5; ++turn) {
    steps.push_back(step_of("B", "reads", "flag"));
    steps.push_back(step_of("B", "yields", ""));
  }
  steps.push_back(step_of("B", "reads", "flag"));
  steps.back().decisive = true;
  const std::string drawn = draw_interleaving(steps, Painter(false), 100);
  EXPECT_NE(drawn.find("(these 2 steps 5 times)"), std::string::npos) << drawn;
  EXPECT_EQ(drawn.find("yields"), drawn.rfind("yields")) << drawn;
}

TEST(Terminal, AnOperationIsNamedWhereItBeginsAndReturns) {
  const std::vector<Step> steps = {step_of("A", "locks", "mutex_", "add(1)"),
                                   step_of("B", "tries to lock", "mutex_", "take()"),
                                   step_of("A", "unlocks", "mutex_", "add(1)"), step_of("A", "returns", "", "add(1)")};
  const std::string drawn = draw_interleaving(steps, Painter(false), 100);
  EXPECT_NE(drawn.find("    add(1)  locks mutex_\n"), std::string::npos) << drawn;
  EXPECT_NE(drawn.find("      unlocks mutex_\n"), std::string::npos) << drawn;
  EXPECT_NE(drawn.find("    add(1)  returns\n"), std::string::npos) << drawn;
}

TEST(Terminal, GoingToSleepAndSleepingAreOneStep) {
  const std::vector<Step> steps = {step_of("A", "waits on", "changed_"),
                                   step_of("A", "waits to be notified of", "changed_")};
  EXPECT_EQ(draw_interleaving(steps, Painter(false), 100).find("waits on"), std::string::npos);
}

TEST(Terminal, TheSourceStandsBesideWhereThereIsRoom) {
  std::vector<Step> steps = {step_of("A", "reads", "counter"), step_of("B", "writes", "counter")};
  for (Step& step : steps) {
    step.place = "counter.cpp:9";
    step.caller = "counter.cpp:20";
    step.source = "const int seen = counter.load();";
  }
  steps[0].decides = true;
  const std::string wide = draw_interleaving(steps, Painter(false), 120);
  EXPECT_NE(wide.find("counter.cpp:9 from :20  ◄ decides  const int seen = counter.load();\n"), std::string::npos)
      << wide;
  EXPECT_EQ(draw_interleaving(steps, Painter(false), 60).find("const int"), std::string::npos);
}

TEST(Terminal, WhatOneCallDoesInsideTheLibraryIsLeftOut) {
  std::vector<Step> steps = {step_of("B", "writes", "state")};
  for (const char* object : {"state", "data of the standard library", "state", "state"}) {
    steps.push_back(step_of("A", "reads", object));
    steps.back().place = "a.cpp:8";
  }
  EXPECT_EQ(steps_that_matter(steps).size(), 2u);
  steps[2].decides = true;
  EXPECT_EQ(steps_that_matter(steps).size(), 3u);
}

TEST(Terminal, OfSeveralStepsOfOneCallOfTheLibraryTheFirstIsLeft) {
  std::vector<Step> steps = {step_of("B", "writes", "state")};
  for (int i = 0; i < 3; ++i) {
    steps.push_back(step_of("A", "calls", "notify_one"));
    steps.back().place = "a.cpp:8";
  }
  EXPECT_EQ(steps_that_matter(steps).size(), 1u) << "nobody else looks at what B writes";
  steps.push_back(step_of("A", "reads", "state"));
  steps.back().place = "a.cpp:8";
  EXPECT_EQ(steps_that_matter(steps).size(), 2u) << "it says all that the call does";
}

TEST(Terminal, ColumnsInWhichMostStepsWouldBeBrokenBecomeAList) {
  std::vector<Step> steps;
  for (const char* thread : {"A", "B", "C"}) {
    steps.push_back(step_of(thread, "waits for", "a_condition_with_a_name"));
    steps.back().place = "a_file_with_a_long_name.cpp:100";
  }
  const auto lines = [&](unsigned width) {
    const std::string drawn = draw_interleaving(steps, Painter(false), width);
    return std::ranges::count(drawn, '\n');
  };
  EXPECT_EQ(lines(100), 3);
  EXPECT_EQ(lines(250), 4) << "as columns, with the names of the threads above";
}

TEST(Terminal, TheStoryBeginsShortlyBeforeAnotherThreadDoes) {
  std::vector<Step> steps;
  for (int i = 0; i < 100; ++i) steps.push_back(step_of("main", "locks", "mutex_"));
  steps.push_back(step_of("A", "locks", "mutex_"));
  EXPECT_EQ(steps_that_matter(steps).size(), 5u);
  steps[90].no_return = true;
  EXPECT_EQ(steps_that_matter(steps).size(), 11u);
}

TEST(Painter, WrapsAtSpacesAndKeepsLongWords) {
  EXPECT_EQ(wrapped("one two three", 8, 2), "one two\n  three");
  EXPECT_EQ(wrapped("averylongword x", 5, 0), "averylongword\nx");
  EXPECT_EQ(shortened("größer", 5), "größ…");
}

}  // namespace
}  // namespace muster
