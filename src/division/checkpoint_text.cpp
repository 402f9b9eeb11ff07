#include "division/checkpoint_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdio.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.hpp"

namespace muster {
namespace {

constexpr std::string_view first_line = "muster-checkpoint: 2";

using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

/// The program that wrote it knows them; here they are all that is neither of the other things.
bool is_word(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
}

class Parser {
 public:
  Parser(CheckpointText& into, const std::string& line) : into_(into), line_(line) {}

  void take(const std::string& key, const std::string& value) {
    if (key == "build")
      into_.build = value;
    else if (key == "libraries")
      into_.libraries = value;
    else if (key == "settings")
      into_.settings = value;
    else if (key == "division")
      take_division(value);
    else if (key == "outcome")
      into_.outcome = value;
    else if (key == "report")
      into_.report = value;
    else if (key == "finished")
      into_.finished.push_back(value);
    else if (key == "subject")
      into_.subject = value;
    else if (key == "tests")
      into_.tests.push_back(range(value));
    else if (key == "elsewhere")
      into_.elsewhere.push_back(range(value));
    else if (key == "known")
      into_.tests_known = number(value);
    else if (key == "done")
      into_.totals.push_back(count(value));
    else
      take_begun(key, value);
  }

 private:
  void take_begun(const std::string& key, const std::string& value) {
    if (key == "begun") {
      into_.begun.emplace_back().test = value;
      return;
    }
    if (into_.begun.empty()) into_.begun.emplace_back();  // of a scenario
    BegunText& begun = into_.begun.back();
    if (key == "count" || key == "made")
      begun.counts.push_back(count(value));
    else if (key == "met")
      take_words(begun.met, value);
    else if (key == "point" || key == "racy")
      begun.facts.push_back(value);
    else if (key == "job")
      begun.jobs.push_back(value);
    else if (key == "set_up")
      begun.set_ups.push_back(value);
    else if (key == "node")
      begun.nodes.push_back(NodeText::parse(value));
    else if (is_word(key))
      begun.numbers.emplace_back(key, number(value));
    else
      complain();
  }

  void take_division(const std::string& value) {
    std::istringstream words(value);
    if (!(words >> into_.number >> into_.count >> into_.division)) complain();
  }
  static void take_words(std::vector<std::string>& into, const std::string& value) {
    std::istringstream words(value);
    for (std::string word; words >> word;) into.push_back(word);
  }
  std::pair<std::string, std::uint64_t> count(const std::string& value) const {
    std::istringstream words(value);
    std::pair<std::string, std::uint64_t> count;
    if (!(words >> count.first >> count.second)) complain();
    return count;
  }
  TestRange range(const std::string& value) const {
    TestRange range;
    if (std::sscanf(value.c_str(), "%lu %lu", &range.first, &range.second) != 2) complain();
    return range;
  }
  std::uint64_t number(const std::string& value) const {
    std::uint64_t number = 0;
    if (std::sscanf(value.c_str(), "%lu", &number) != 1) complain();
    return number;
  }
  [[noreturn]] void complain() const {
    fail("{}: `{}` is no part of a checkpoint; was the file changed?", into_.name, line_.substr(0, 60));
  }

  CheckpointText& into_;
  const std::string& line_;
};

std::string lines(const char* key, const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += fmt::format("{}: {}\n", key, value);
  return out;
}

std::string counts(const char* key, const Numbers& numbers) {
  std::string out;
  for (const auto& [name, number] : numbers) out += fmt::format("{}: {} {}\n", key, name, number);
  return out;
}

std::string to_text(const BegunText& begun) {
  const bool test = !begun.test.empty();
  std::string out = test ? fmt::format("begun: {}\n", begun.test) : "";
  out += counts(test ? "count" : "made", begun.counts);
  if (test) out += fmt::format("met:{}{} \n", begun.met.empty() ? "" : " ", fmt::join(begun.met, " "));
  out += lines(test ? "point" : "racy", begun.facts);
  for (const auto& [name, number] : begun.numbers) out += fmt::format("{}: {}\n", name, number);
  out += lines("job", begun.jobs) + lines("set_up", begun.set_ups);
  for (const NodeText& node : begun.nodes) out += "node: " + node.line() + "\n";
  return out;
}

}  // namespace

std::uint64_t BegunText::number(const std::string& name) const {
  const auto found = std::ranges::find(numbers, name, &std::pair<std::string, std::uint64_t>::first);
  return found == numbers.end() ? 0 : found->second;
}

void BegunText::set_number(const std::string& name, std::uint64_t value) {
  const auto found = std::ranges::find(numbers, name, &std::pair<std::string, std::uint64_t>::first);
  if (found == numbers.end())
    numbers.emplace_back(name, value);
  else
    found->second = value;
}

std::size_t BegunText::pieces_left() const {
  std::size_t pieces = jobs.size();
  for (const NodeText& node : nodes) {
    if (!node.elsewhere) pieces += static_cast<std::size_t>(std::popcount(node.open()));
  }
  return pieces;
}

std::size_t CheckpointText::pieces_left() const {
  std::size_t pieces = 0;
  for (const BegunText& search : begun) pieces += search.pieces_left();
  return pieces;
}

std::vector<std::uint64_t> CheckpointText::tests_left() const {
  std::vector<std::uint64_t> left;
  const auto is_in = [](const std::vector<TestRange>& ranges, std::uint64_t test) {
    return std::ranges::any_of(ranges, [test](const TestRange& r) { return r.first <= test && test < r.second; });
  };
  for (std::uint64_t test = 0; test < tests_known; ++test) {
    const bool has_begun = std::ranges::find(begun, std::to_string(test), &BegunText::test) != begun.end();
    if (!has_begun && !is_in(tests, test) && !is_in(elsewhere, test)) left.push_back(test);
  }
  return left;
}

CheckpointText parse_checkpoint(const std::string& text, const std::string& name) {
  CheckpointText checkpoint;
  checkpoint.name = name;
  std::istringstream stream(text);
  std::string line;
  if (!std::getline(stream, line) || line != first_line) fail("{}: no checkpoint that this version knows", name);
  while (std::getline(stream, line)) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos)
      fail("{}: `{}` is no part of a checkpoint; was the file changed?", name, line.substr(0, 60));
    Parser(checkpoint, line).take(line.substr(0, colon), line.substr(colon + 2));
  }
  return checkpoint;
}

std::string to_text(const CheckpointText& checkpoint) {
  std::string out = fmt::format("{}\nbuild: {}\nlibraries: {}\nsettings: {}\n", first_line, checkpoint.build,
                                checkpoint.libraries, checkpoint.settings);
  if (checkpoint.count > 0)
    out += fmt::format("division: {} {} {}\n", checkpoint.number, checkpoint.count, checkpoint.division);
  out += lines("finished", checkpoint.finished);
  if (!checkpoint.subject.empty()) out += fmt::format("subject: {}\n", checkpoint.subject);
  for (const auto& [first, end] : checkpoint.tests) out += fmt::format("tests: {} {}\n", first, end);
  for (const auto& [first, end] : checkpoint.elsewhere) out += fmt::format("elsewhere: {} {}\n", first, end);
  if (checkpoint.tests_known > 0) out += fmt::format("known: {}\n", checkpoint.tests_known);
  out += counts("done", checkpoint.totals);
  for (const BegunText& begun : checkpoint.begun) out += to_text(begun);
  return out;
}

CheckpointText read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("{}: cannot be read", path);
  return parse_checkpoint(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

void write_checkpoint(const std::string& path, const CheckpointText& checkpoint) {
  const std::string unfinished = path + ".unfinished";
  std::ofstream file(unfinished, std::ios::binary);
  file << to_text(checkpoint);
  if (!file.flush() || rename(unfinished.c_str(), path.c_str()) != 0) fail("{}: cannot be written", path);
}

bool is_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  return std::getline(file, line) && line.starts_with("muster-checkpoint: ");
}

}  // namespace muster
