#pragma once
// One line on a terminal that says how far a run is, from its second second on. Never in a pipe.

#include <chrono>
#include <string>

namespace muster {

class ProgressLine {
 public:
  /// On standard error, if that is a terminal.
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);
  void clear();
  /// Whether anybody sees it.
  bool is_seen() const { return terminal_; }
  /// Since it was made.
  double seconds() const;

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// "4,000 a second".
std::string rate(std::uint64_t count, double seconds);

/// "no finding yet", "1 finding".
std::string findings_so_far(std::uint64_t count);

}  // namespace muster
