#pragma once
// Where a search stopped, as a value that prints: with it the search goes on in another process, on another day.

#include <span>
#include <string>
#include <vector>

#include "schedule/depth_first_strategy.hpp"
#include "search/search.hpp"

namespace muster {

struct Checkpoint {
  DepthFirstBounds bounds;  // of the pass that was stopped
  bool some_bound_exhausted = false;
  unsigned exhausted_preemptions = 0, exhausted_late_yields = 0;  // of the last pass before it
  Counters counters;                                              // of all executions so far
  std::vector<std::vector<Decision>> jobs;  // subtrees that nobody has looked at yet; an empty one is the whole tree

  std::vector<std::string> tree;  // of a reduced search: what SharedTree saves

  std::uint64_t next_number = 0;  // of a random search: its executions are numbered

  bool empty() const { return jobs.empty() && tree.empty() && next_number == 0; }
};

std::string job_text(std::span<const Decision> job);
/// False if the text is no job.
bool parse_job(const std::string& text, std::vector<Decision>& job);

/// One line for each job and for what was counted.
std::string to_text(const Checkpoint& checkpoint);

/// Throws Error, naming `file` and the line, if it is not what `to_text` writes.
Checkpoint parse_checkpoint(const std::string& text, const std::string& file);

}  // namespace muster
