#pragma once
// The lines of source files, for those who show what code says.

#include <map>
#include <string>
#include <vector>

namespace muster {

class SourceFiles {
 public:
  /// Without the spaces before and after it; empty where the file cannot be read, or has no such line.
  const std::string& line(const std::string& file, int number);

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace muster
