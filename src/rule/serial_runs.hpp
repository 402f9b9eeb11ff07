#pragma once
// Calls of a check made one after the other, in one thread, to learn what they answer: of its objects, or of its golden
// classes. So a class is a spec that knows every order of calls, not only those of a test.

#include <span>
#include <string>
#include <vector>

#include "rule/test.hpp"

namespace muster {

class SerialRuns {
 public:
  virtual ~SerialRuns() = default;

  /// The answers to `calls`, for each way in which they can go; where there are fewer than calls, the next one blocks.
  virtual std::vector<std::vector<std::string>> answers(std::span<const Invocation> calls) = 0;

  /// Why some answers are not known, if so: what depends on them is undecided.
  const std::string& not_known() const { return not_known_; }
  std::uint64_t executions() const { return executions_; }

 protected:
  std::string not_known_;
  std::uint64_t executions_ = 0;
};

}  // namespace muster
