#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
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

/// Two operations of one process, the first of which returned: it came first, whatever other clocks say.
bool in_own_order(const History& history, OperationId first, OperationId second) {
  return history[first].process == history[second].process && !history[first].is_pending();
}

/// What the process of each read did before and after it.
std::vector<RegisterHistory::Own> own_orders(const History& history, const RegisterHistory& accesses) {
  std::vector<RegisterHistory::Own> own(accesses.reads.size());
  absl::flat_hash_map<ProcessId, std::uint32_t> last_read;
  const auto& writes = accesses.writes;
  std::uint32_t next = 1;
  for (std::uint32_t read = 0; read < accesses.reads.size(); ++read) {
    const auto& access = accesses.reads[read];
    const ProcessId process = history[access.id].process;
    const auto [previous, is_first] = last_read.try_emplace(process, read);
    if (!is_first) own[read].earlier_read = std::exchange(previous->second, read);
    while (next < writes.size() && writes[next].call < access.call) ++next;
    if (next > 1 && in_own_order(history, writes[next - 1].id, access.id)) own[read].write = next - 1;
    if (next < writes.size() && in_own_order(history, access.id, writes[next].id)) own[read].next_write = next;
  }
  return own;
}

bool overlaps_itself(const History& history, std::span<const OperationId> by_call) {
  absl::flat_hash_map<ProcessId, Position> returned;
  for (const OperationId id : by_call) {
    const auto [last, is_first] = returned.try_emplace(history[id].process, history[id].ret);
    if (!is_first && std::exchange(last->second, history[id].ret) > history[id].call) return true;
  }
  return false;
}

/// With `own_order` operations of one process may overlap, as they seem to where clocks differ.
Taken take(const Binding& binding, std::span<const OperationId> ids, bool own_order) {
  Taken taken;
  auto& writes = taken.accesses.writes;
  auto& reads = taken.accesses.reads;
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
    if (own_order && in_own_order(binding.history(), writes[i - 1].id, writes[i].id)) continue;
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
  Taken taken = take(binding, ids, true);
  if (taken.first != never) {
    fail("{}:{}: this write and the one of line {} overlap; these properties are defined for one writer",
         history.source().name, history[taken.second].line, history[taken.first].line);
  }
  const auto call = [&](OperationId id) { return history[id].call; };
  if (!std::ranges::is_sorted(ids, {}, call)) std::ranges::sort(ids, {}, call);
  if (overlaps_itself(history, ids)) taken.accesses.own = own_orders(history, taken.accesses);
  return std::move(taken.accesses);
}

std::optional<RegisterHistory> single_writer(const Binding& binding, std::span<const OperationId> ids) {
  Taken taken = take(binding, ids, false);
  if (taken.first != never) return std::nullopt;
  return std::move(taken.accesses);
}

}  // namespace muster
