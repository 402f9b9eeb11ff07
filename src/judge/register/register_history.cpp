#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/error.hpp"
#include "judge/register/soar.hpp"
#include "spec/builtin.hpp"

namespace muster {
namespace {

struct TakenWrites {
  RegisterHistory accesses;
  /// Two writes that overlap; `never` if none do.
  OperationId first = never, second = never;
};

/// By its own clock the process had the first behind it when it called the second.
bool in_own_order(const History& exact, OperationId first, OperationId second) {
  return exact[first].process == exact[second].process && exact[first].ret < exact[second].call;
}

/// What the process of each read did before and after it.
std::vector<RegisterHistory::Own> own_orders(const History& exact, const RegisterHistory& accesses) {
  std::vector<RegisterHistory::Own> own(accesses.reads.size());
  absl::flat_hash_map<ProcessId, std::uint32_t> last_read;
  const auto& writes = accesses.writes;
  const auto& reads = accesses.reads;
  std::uint32_t next = 1;
  for (std::uint32_t read = 0; read < reads.size(); ++read) {
    const OperationId id = reads[read].id;
    const auto [last, is_first] = last_read.try_emplace(exact[id].process, read);
    const std::uint32_t earlier = std::exchange(last->second, read);
    if (!is_first && in_own_order(exact, reads[earlier].id, id)) own[read].earlier_read = earlier;
    while (next < writes.size() && writes[next].call < reads[read].call) ++next;
    if (next > 1 && in_own_order(exact, writes[next - 1].id, id)) own[read].write = next - 1;
    if (next < writes.size() && in_own_order(exact, id, writes[next].id)) own[read].next_write = next;
  }
  return own;
}

/// With `exact` times, operations of one process may seem to overlap in those that are judged.
TakenWrites take(const Binding& binding, std::span<const OperationId> ids, const History* exact) {
  TakenWrites taken;
  auto& writes = taken.accesses.writes;
  auto& reads = taken.accesses.reads;
  writes.push_back({0, 0, binding.spec().initial_value(), never});
  for (const OperationId id : ids) {
    const Operation& operation = binding.history()[id];
    const Position ret = operation.is_pending() ? never : operation.ret + 1;
    if (binding.method(operation) != register_read) {
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
    if (exact && in_own_order(*exact, writes[i - 1].id, writes[i].id)) continue;
    taken.first = writes[i - 1].id;
    taken.second = writes[i].id;
    break;
  }
  return taken;
}

}  // namespace

RegisterHistory register_history(const History& history, const Spec& spec, const History* exact) {
  if (spec.family() != Family::reg)
    fail("atomic, regular and safe are properties of --spec register, not of {}", spec.name());
  const Binding binding(history, spec);
  std::vector<OperationId> ids(history.size());
  for (OperationId id = 0; id < ids.size(); ++id) ids[id] = id;
  TakenWrites taken = take(binding, ids, exact);
  if (taken.first != never) {
    fail("{}:{}: this write and the one of line {} overlap; these properties are defined for one writer",
         history.source().name, history[taken.second].line, history[taken.first].line);
  }
  if (exact) taken.accesses.own = own_orders(*exact, taken.accesses);
  return std::move(taken.accesses);
}

std::optional<RegisterHistory> single_writer(const Binding& binding, std::span<const OperationId> ids) {
  TakenWrites taken = take(binding, ids, nullptr);
  if (taken.first != never) return std::nullopt;
  return std::move(taken.accesses);
}

}  // namespace muster
