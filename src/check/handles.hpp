#pragma once
// The handles of one run of a test: what operations gave and nobody has taken.

#include <algorithm>
#include <vector>

#include "check/answer_text.hpp"
#include "check/test.hpp"

namespace muster {

class Handles {
 public:
  Handles(const CheckDefinition& check, const std::vector<TestOperation>& operations);

  void forget() { std::fill(given_.begin(), given_.end(), nullptr); }
  void destroy();
  void pass(Tape& tape) { tape.pass(given_.data(), given_.size() * sizeof(void*)); }

  /// Runs an operation with the handle it takes, and keeps the one it gives. One that was not given cannot be taken:
  /// then the call is skipped, and says so.
  void call(unsigned operation, detail::CallFrame frame, AnswerText& answer);

 private:
  const CheckDefinition& check_;
  const std::vector<TestOperation>& operations_;
  std::vector<void*> given_;
  std::vector<std::string> labels_;  // how the handle of each operation prints
};

}  // namespace muster
