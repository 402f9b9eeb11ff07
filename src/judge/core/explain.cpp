#include "judge/core/explain.hpp"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "history/event_order.hpp"

namespace muster {
namespace {

/// Operations that go together: all on one value, or one that changes nothing.
using Group = std::vector<OperationId>;

class CoreSearch {
 public:
  CoreSearch(const History& history, const Spec& spec, const JudgeOptions& options)
      : history_(history), binding_(history, spec), spec_(spec), options_(options) {
    options_.explain = false;
  }

  std::optional<Core> run(const Counterexample& failing) {
    std::vector<OperationId> ids = failing.operations;
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (!still_fails(ids, never)) {
      ids.resize(history_.size());
      for (OperationId id = 0; id < ids.size(); ++id) ids[id] = id;
      if (!still_fails(ids, never)) return std::nullopt;
    }
    // Less to judge makes the prefix cheaper to find, and a shorter prefix lets more be taken out: both, until neither
    // helps.
    Core core;
    for (std::size_t before = ids.size() + 1; ids.size() < before;) {
      before = ids.size();
      core.cut = shortest_prefix(ids);
      std::erase_if(ids, [&](OperationId id) { return history_[id].call > core.cut; });
      reduce(ids, core.cut);
    }
    std::ranges::sort(ids, {}, [&](OperationId id) { return history_[id].call; });
    core.operations = ids;
    for (const OperationId id : ids) {
      if (history_[id].ret == core.cut) core.misfit = id;
    }
    core.irreducible = !limited_;
    return core;
  }

 private:
  /// Whether these operations, as they stand at the moment `cut`, fail.
  bool still_fails(std::span<const OperationId> ids, Position cut) {
    const Verdict verdict =
        judge_linearizability(core_history(history_, {{ids.begin(), ids.end()}, 0, cut}), spec_, options_);
    limited_ |= is_undecided(verdict);
    return fails(verdict);
  }

  /// Prefixes of a linearizable history are linearizable, so the first failing one is found by bisection over the
  /// returns.
  Position shortest_prefix(std::span<const OperationId> ids) {
    std::vector<Position> returns;
    for (const OperationId id : ids) {
      if (!history_[id].is_pending()) returns.push_back(history_[id].ret);
    }
    std::ranges::sort(returns);
    const auto first =
        std::partition_point(returns.begin(), returns.end(), [&](Position cut) { return !still_fails(ids, cut); });
    return first == returns.end() ? never : *first;
  }

  /// Takes out groups, many at a time while that works, then one at a time, until none can go.
  void reduce(std::vector<OperationId>& ids, Position cut) {
    std::vector<Group> groups = groups_of(ids);
    for (std::size_t chunk = std::max<std::size_t>(groups.size() / 2, 1);; chunk /= 2) {
      for (std::size_t at = 0; at < groups.size();) {
        const std::size_t end = std::min(at + chunk, groups.size());
        std::vector<OperationId> rest = fixed_;
        for (std::size_t group = 0; group < groups.size(); ++group) {
          if (group < at || group >= end) rest.insert(rest.end(), groups[group].begin(), groups[group].end());
        }
        if (rest.size() < ids.size() && still_fails(rest, cut)) {
          groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(at),
                       groups.begin() + static_cast<std::ptrdiff_t>(end));
          ids = rest;
        } else {
          at = end;
        }
      }
      if (chunk == 1) return;
    }
  }

  std::vector<Group> groups_of(std::span<const OperationId> ids) {
    std::vector<Group> groups;
    absl::flat_hash_map<std::pair<Value, Value>, std::size_t> by_value;
    fixed_.clear();
    for (const OperationId id : ids) {
      const Operation& operation = history_[id];
      if (const Value value = value_of(operation); !value.is_none()) {
        const auto [found, fresh] = by_value.try_emplace({binding_.key(operation), value}, groups.size());
        if (fresh) groups.emplace_back();
        groups[found->second].push_back(id);
      } else if (binding_.never_changes(operation)) {
        groups.push_back({id});
      } else {
        fixed_.push_back(id);
      }
    }
    return groups;
  }

  /// The value an operation is about, where all operations on a value can go together.
  Value value_of(const Operation& operation) const {
    switch (spec_.family()) {
      case Family::other:
      case Family::set:
      case Family::whole_set:
        return {};
      case Family::reg:
        if (!binding_.arguments(operation).empty()) return binding_.arguments(operation)[0];
        return operation.result == spec_.initial_value() ? Value() : operation.result;
      default:
        if (!binding_.arguments(operation).empty()) return binding_.arguments(operation)[0];
        return operation.result.is_nil() ? Value() : operation.result;
    }
  }

  const History& history_;
  Binding binding_;
  const Spec& spec_;
  JudgeOptions options_;
  std::vector<OperationId> fixed_;
  bool limited_ = false;
};

}  // namespace

std::optional<Core> find_core(const History& history, const Spec& spec, const Counterexample& failing,
                              const JudgeOptions& options) {
  return CoreSearch(history, spec, options).run(failing);
}

History core_history(const History& history, const Core& core) {
  History part = history.restricted_to(core.operations);
  if (core.cut == never) return part;
  std::vector<OperationId> called;
  for (OperationId id = 0; id < part.size(); ++id) {
    if (part[id].call < core.cut) called.push_back(id);
  }
  part = part.restricted_to(called);
  std::vector<std::pair<Position, Position>> positions;
  for (const Operation& operation : part.operations()) {
    positions.emplace_back(operation.call, operation.ret <= core.cut ? operation.ret : never);
  }
  return part.with_positions(positions);
}

namespace {

constexpr std::int64_t latest = HistoryBuilder::still_pending - 1;

std::int64_t later(std::int64_t time, std::int64_t by) { return time > latest - by ? latest : time + by; }

}  // namespace

History with_skew(const History& history, std::int64_t skew) {
  std::vector<Operation> operations(history.operations().begin(), history.operations().end());
  std::vector<std::int64_t> calls, returns;
  for (OperationId id = 0; id < history.size(); ++id) {
    calls.push_back(history.call_time(id));
    returns.push_back(history[id].is_pending() ? HistoryBuilder::still_pending
                                               : std::max(calls.back(), later(history.return_time(id), skew)));
  }
  order_by_time(operations, calls, returns, Ties::overlap);
  std::vector<std::pair<Position, Position>> positions;
  for (const Operation& operation : operations) positions.emplace_back(operation.call, operation.ret);
  return history.with_positions(positions);
}

std::optional<std::int64_t> smallest_skew(const History& history, const Spec& spec, const JudgeOptions& options) {
  if (!history.has_times() || history.empty()) return std::nullopt;
  std::int64_t first = history.call_time(0), last = first;
  for (OperationId id = 0; id < history.size(); ++id) {
    first = std::min(first, history.call_time(id));
    last = std::max(last, history.call_time(id));
  }
  const std::uint64_t apart = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  // More skew orders less, so what explains stays an explanation.
  const auto explained = [&](std::int64_t skew) {
    return passes(judge_linearizability(with_skew(history, skew), spec, options));
  };
  std::int64_t low = -1, high = static_cast<std::int64_t>(std::min<std::uint64_t>(apart, latest));
  if (!explained(high)) return std::nullopt;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (explained(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace muster
