#include "rule/handles.hpp"

#include "rule/handle_names.hpp"

namespace muster {

Handles::Handles(const CheckDefinition& check, const std::vector<TestOperation>& operations)
    : check_(check), operations_(operations), given_(operations.size(), nullptr) {
  for (const TestOperation& operation : operations)
    used_ |= check.operations[check.invocations[operation.invocation].operation].gives >= 0;
}

void Handles::destroy() {
  if (!used_) return;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const int slot = check_.operations[check_.invocations[operations_[i].invocation].operation].gives;
    if (given_[i]) check_.slots[static_cast<std::size_t>(slot)].destroy(given_[i]);
    given_[i] = nullptr;
  }
}

/// The slot is part of the value: handles of different kinds are never the same. One whose value cannot be compared is
/// the same as none.
[[gnu::noinline]] void Handles::answer_with(unsigned operation, void* handle, AnswerText& answer) const {
  const int slot = check_.operations[check_.invocations[operations_[operation].invocation].operation].gives;
  const auto& definition = check_.slots[static_cast<std::size_t>(slot)];
  answer.put(&handle_mark, 1);
  detail::put_number(answer, slot);
  answer.put(definition.put_value ? ":" : "#");
  if (definition.put_value) {
    definition.put_value(handle, answer);
  } else {
    detail::put_number(answer, operation);
  }
}

}  // namespace muster
