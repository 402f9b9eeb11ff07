#include "check/handles.hpp"

namespace muster {

Handles::Handles(const CheckDefinition& check, const std::vector<TestOperation>& operations)
    : check_(check), operations_(operations), given_(operations.size(), nullptr) {
  for (std::size_t i = 0; i < operations.size(); ++i) labels_.push_back(handle_name(check, operations, i));
}

void Handles::call(unsigned operation, detail::CallFrame frame, AnswerText& answer) {
  const auto& invocation = check_.invocations[operations_[operation].invocation];
  const auto& definition = check_.operations[invocation.operation];
  void** taken = definition.takes < 0 ? nullptr : &given_[static_cast<std::size_t>(operations_[operation].source)];
  if (taken && !*taken) return answer.put("skipped");
  frame.taken = taken ? *taken : nullptr;
  frame.label = labels_[operation].c_str();
  invocation.invoke->run(frame, answer);
  if (taken && !definition.borrows) {
    check_.slots[static_cast<std::size_t>(definition.takes)].destroy(*taken);
    *taken = nullptr;
  }
  given_[operation] = frame.given;
}

void Handles::destroy() {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const int slot = check_.operations[check_.invocations[operations_[i].invocation].operation].gives;
    if (given_[i]) check_.slots[static_cast<std::size_t>(slot)].destroy(given_[i]);
    given_[i] = nullptr;
  }
}

}  // namespace muster
