#pragma once
// A checkpoint as far as it can be understood without the program that wrote it: by whoever divides a search, or joins
// its parts.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "division/node_text.hpp"

namespace muster {

/// Of a scenario, or of one test of a check, what is done and what is left.
struct BegunText {
  std::string test;  // its number; empty for a scenario
  std::vector<std::pair<std::string, std::uint64_t>> counts, numbers;
  std::vector<std::string> met;  // histories
  std::vector<std::string> facts;
  std::vector<std::string> jobs, set_ups;
  std::vector<NodeText> nodes;

  bool begun() const { return number("is_begun") != 0; }
  std::uint64_t number(const std::string& name) const;
  void set_number(const std::string& name, std::uint64_t value);
  std::size_t pieces_left() const;
};

using TestRange = std::pair<std::uint64_t, std::uint64_t>;

struct CheckpointText {
  std::string name;  // of the file, for complaints
  std::string build, libraries, settings;
  unsigned number = 0, count = 0;  // of a part; 0 for a whole
  std::string division;            // which one it is a part of
  std::string outcome, report;     // of a part that was run
  std::vector<std::string> finished;
  std::string subject;
  std::vector<TestRange> tests, elsewhere;
  std::uint64_t tests_known = 0;
  std::vector<std::pair<std::string, std::uint64_t>> totals;
  std::vector<BegunText> begun;

  std::size_t pieces_left() const;
  /// Tests that nobody has begun.
  std::vector<std::uint64_t> tests_left() const;
};

/// Throws Error.
CheckpointText parse_checkpoint(const std::string& text, const std::string& name);
std::string to_text(const CheckpointText& checkpoint);

CheckpointText read_checkpoint(const std::string& path);
/// The file is there as a whole, or as it was.
void write_checkpoint(const std::string& path, const CheckpointText& checkpoint);
/// By its first line.
bool is_checkpoint(const std::string& path);

}  // namespace muster
