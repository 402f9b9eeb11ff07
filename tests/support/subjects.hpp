#pragma once
// The table of subjects, tests/subjects/EXPECTED.tsv.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace muster::test {

struct Subject {
  std::string folder, name, scenario, verdict, heap, executions, flags;

  /// 0 where none is stated.
  long execution_count() const {
    std::string digits = executions;
    std::erase(digits, ',');
    return std::atol(digits.c_str());
  }
};

inline std::vector<Subject> subjects() {
  std::vector<Subject> all;
  std::ifstream file(std::string(MUSTER_SOURCE_DIR) + "/tests/subjects/EXPECTED.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Subject s;
    for (std::string* field : {&s.folder, &s.name, &s.scenario, &s.verdict, &s.heap, &s.executions, &s.flags})
      std::getline(fields, *field, '\t');
    all.push_back(s);
  }
  return all;
}

}  // namespace muster::test
