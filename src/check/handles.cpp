#include "check/handles.hpp"

namespace muster {

Handles::Handles(const CheckDefinition& check, const std::vector<TestOperation>& operations)
    : check_(check), operations_(operations), given_(operations.size(), nullptr) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    labels_.push_back(handle_name(check, operations, i));
    used_ |= !labels_.back().empty();
  }
}

void Handles::destroy() {
  if (!used_) return;
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const int slot = check_.operations[check_.invocations[operations_[i].invocation].operation].gives;
    if (given_[i]) check_.slots[static_cast<std::size_t>(slot)].destroy(given_[i]);
    given_[i] = nullptr;
  }
}

}  // namespace muster
