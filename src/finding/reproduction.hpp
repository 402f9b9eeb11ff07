#pragma once
// What it takes to see a finding again, and to know that it is the same one: in reports, and in the files of saved
// failures.

#include <string>
#include <vector>

#include "finding/words.hpp"

namespace muster {

struct Reproduction {
  std::string subject;  // the scenario, check, log or trace
  FindingKind kind = FindingKind::none;
  std::string sentence;  // what went wrong, in one sentence
  std::string schedule;
  std::string test;                      // of a check: the test that fails, as text
  std::vector<std::string> racy_sites;   // plain accesses that the schedule counts as points, as "module+0x12"
  std::vector<std::string> shown_sites;  // plain accesses that a replay tells although they are no points
  bool planned = false;                  // the schedule came from following a plan
  bool serial = false;                   // the schedule is of a serial execution

  bool operator==(const Reproduction&) const = default;
};

}  // namespace muster
