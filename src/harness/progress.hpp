#pragma once
// One line on a terminal that says how far a run is, from its second second on. Never in a pipe.

#include <chrono>
#include <string>

#include "check/run.hpp"
#include "explore/explorer.hpp"

namespace muster {

class ProgressLine {
 public:
  /// `terminal` is whether standard error is one.
  ProgressLine(std::string name, bool terminal) : name_(std::move(name)), terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Coverage& coverage);
  void show(const TestProgress& progress);
  void clear();

 private:
  void print(const std::string& text);

  std::string name_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// "queue: 12,345 executions, 4,000 a second, about 40 % of bound 2, no finding yet".
std::string describe(const Coverage& coverage, const std::string& name);
std::string describe(const TestProgress& progress, const std::string& name, double seconds);

}  // namespace muster
