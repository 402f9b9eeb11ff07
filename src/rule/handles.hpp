#pragma once
// The handles of one run of a test: what operations gave and nobody has taken.

#include <algorithm>
#include <vector>

#include "rule/answer_text.hpp"
#include "rule/test.hpp"

namespace muster {

class Handles {
 public:
  Handles(const CheckDefinition& check, const std::vector<TestOperation>& operations);

  void forget() { std::fill(given_.begin(), given_.end(), nullptr); }
  void destroy();
  void pass(Tape& tape) {
    if (used_) tape.pass(given_.data(), given_.size() * sizeof(void*));
  }

  /// Runs an operation with the handle it takes, and keeps the one it gives. One that was not given cannot be taken:
  /// then the call is skipped, and says so.
  void call(unsigned operation, detail::CallFrame frame, AnswerText& answer);

 private:
  void answer_with(unsigned operation, void* handle, AnswerText& answer) const;

  const CheckDefinition& check_;
  const std::vector<TestOperation>& operations_;
  std::vector<void*> given_;
  bool used_ = false;  // some operation gives one
};

inline void Handles::call(unsigned operation, detail::CallFrame frame, AnswerText& answer) {
  const auto& invocation = check_.invocations[operations_[operation].invocation];
  const auto& definition = check_.operations[invocation.operation];
  void** taken = definition.takes < 0 ? nullptr : &given_[static_cast<std::size_t>(operations_[operation].source)];
  if (taken && !*taken) [[unlikely]]
    return answer.put("skipped");
  frame.taken = taken ? *taken : nullptr;
  invocation.invoke->run(frame, answer);
  if (taken && !definition.borrows) {
    check_.slots[static_cast<std::size_t>(definition.takes)].destroy(*taken);
    *taken = nullptr;
  }
  given_[operation] = frame.given;
  if (frame.given) [[unlikely]]
    answer_with(operation, frame.given, answer);
}

}  // namespace muster
