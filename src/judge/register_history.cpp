#include <algorithm>

#include "base/error.hpp"
#include "judge/soar.hpp"

namespace muster {
namespace {

constexpr MethodIndex read_method = 0;

struct Taken {
  RegisterHistory accesses;
  /// Two writes that overlap; `never` if none do.
  OperationId first = never, second = never;
};

Taken take(const Binding& binding, std::span<const OperationId> ids) {
  Taken taken;
  auto& [writes, reads] = taken.accesses;
  writes.push_back({0, 0, binding.spec().initial_value(), never});
  for (const OperationId id : ids) {
    const Operation& operation = binding.history()[id];
    const Position ret = operation.is_pending() ? never : operation.ret + 1;
    if (binding.method(operation) != read_method) {
      writes.push_back({operation.call + 1, ret, binding.arguments(operation)[0], id});
    } else if (!operation.is_pending() && !operation.result.is_none()) {
      reads.push_back({operation.call + 1, ret, operation.result, id});
    }
  }
  const auto sort = [](std::vector<RegisterHistory::Access>& accesses) {
    if (!std::ranges::is_sorted(accesses, {}, &RegisterHistory::Access::call)) {
      std::ranges::sort(accesses, {}, &RegisterHistory::Access::call);
    }
  };
  sort(writes);
  sort(reads);
  for (std::size_t i = 2; i < writes.size(); ++i) {
    if (writes[i - 1].ret < writes[i].call) continue;
    taken.first = writes[i - 1].id;
    taken.second = writes[i].id;
    break;
  }
  return taken;
}

}  // namespace

RegisterHistory register_history(const History& history, const Spec& spec) {
  if (spec.family() != Family::reg)
    fail("atomic, regular and safe are properties of --spec register, not of {}", spec.name());
  const Binding binding(history, spec);
  std::vector<OperationId> ids(history.size());
  for (OperationId id = 0; id < ids.size(); ++id) ids[id] = id;
  Taken taken = take(binding, ids);
  if (taken.first != never) {
    fail("{}:{}: this write and the one of line {} overlap; these properties are defined for one writer",
         history.source().name, history[taken.second].line, history[taken.first].line);
  }
  return std::move(taken.accesses);
}

std::optional<RegisterHistory> single_writer(const Binding& binding, std::span<const OperationId> ids) {
  Taken taken = take(binding, ids);
  if (taken.first != never) return std::nullopt;
  return std::move(taken.accesses);
}

}  // namespace muster
