#pragma once
// What one rank is given to do, and what came of it: a run of a program, with a file that it reads and one that it
// writes. They travel between ranks, which need not share a disk.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster {

struct Job {
  /// Words that stand for paths of the rank's own.
  static constexpr const char* input_word = "{input}";
  static constexpr const char* output_word = "{output}";
  static constexpr const char* report_word = "{report}";

  std::uint64_t id = 0;
  std::vector<std::string> command;
  std::string input;  // contents of the file that it reads
  /// Of the file that it writes: what is added to the path of the input, or the output itself if that is empty.
  std::string output_suffix;
};

struct JobEnd {
  std::uint64_t id = 0;
  int exit_code = 0;   // -1 if a signal ended it
  std::string said;    // on its standard output
  std::string errors;  // on the other one
  std::string output;  // contents of the file; empty if it wrote none
  std::string report;  // as JSON
  double seconds = 0;  // by the clock
};

std::string to_bytes(const Job& job);
std::string to_bytes(const JobEnd& end);
Job job_of(const std::string& bytes);
JobEnd end_of(const std::string& bytes);

}  // namespace muster
