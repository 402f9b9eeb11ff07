#include "rule/handle_names.hpp"

#include <algorithm>
#include <bit>

namespace muster {

HandleNames::HandleNames(const CheckDefinition& check, const Test& test, Responses& responses) {
  const std::vector<TestOperation> list = operations_of(test);
  std::vector<Operation> operations(list.size());
  bool some = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto& definition = check.operations[check.invocations[list[i].invocation].operation];
    if (definition.gives >= 0) {
      operations[i].gives = definition.gives;
      operations[i].name = responses.number(handle_name(check, list, i));
      some = true;
    }
    if (list[i].source < 0 || definition.borrows) continue;
    operations[i].takes = list[i].source;
    operations[static_cast<std::size_t>(list[i].source)].taker = static_cast<int>(i);
  }
  if (some) operations_ = std::move(operations);
}

bool HandleNames::is_name(unsigned operation, ResponseId response) const {
  const int slot = operations_[operation].gives;
  return slot >= 0 && std::ranges::any_of(operations_, [&](const Operation& giver) {
           return giver.gives == slot && giver.name == response;
         });
}

Recorded HandleNames::named(const Recorded& history) const {
  Recorded named = history;
  put_names(history, named.response);
  return named;
}

void HandleNames::put_names(const Recorded& history, std::span<ResponseId> answers) const {
  const GivenHandles& handles = history.handles;
  for (unsigned at = 0; handles.given != 0 && at < history.mark_count; ++at) {
    const unsigned i = history.marks[at].operation;
    if (!history.marks[at].is_return || !handles.has(i)) continue;
    for (unsigned earlier = at; earlier-- > 0;) {
      const unsigned j = history.marks[earlier].operation;
      if (!history.marks[earlier].is_return || !handles.has(j) || !handles.same(i, j)) continue;
      if (is_gone(j, i, history)) continue;
      answers[i] = answers[j];
      break;
    }
  }
}

/// Whether the handle that one operation gave was taken when the other one was called, or by that.
bool HandleNames::is_gone(unsigned giver, unsigned later, const Recorded& history) const {
  const int taker = operations_[giver].taker;
  if (taker < 0 || (history.excused >> taker & 1)) return false;
  return taker == static_cast<int>(later) || (history.before[later] >> taker & 1);
}

std::vector<HandleNames::Held> HandleNames::held_in(const SerialHistory& history) const {
  std::vector<Held> held(operations_.size());
  std::uint64_t holding = 0;
  for (const unsigned i : history.order) {
    const bool runs = !(history.excused & bit_of(i));
    if (runs && operations_[i].takes >= 0) holding &= ~bit_of(static_cast<unsigned>(operations_[i].takes));
    if (!is_name(i, history.response[i])) continue;
    for (std::uint64_t mask = holding; mask; mask &= mask - 1) {
      const auto j = static_cast<unsigned>(std::countr_zero(mask));
      if (operations_[j].gives != operations_[i].gives) continue;
      (history.response[j] == history.response[i] ? held[i].same : held[i].other) |= bit_of(j);
    }
    holding |= bit_of(i);
  }
  return held;
}

bool agrees(const HandleNames::Held& held, unsigned operation, const GivenHandles& handles) {
  for (std::uint64_t mask = (held.same | held.other) & handles.given; mask; mask &= mask - 1) {
    const auto other = static_cast<unsigned>(std::countr_zero(mask));
    if (handles.same(operation, other) != ((held.same & bit_of(other)) != 0)) return false;
  }
  return true;
}

}  // namespace muster
