#include "judge/monitor/register_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "judge/core/timeline.hpp"
#include "judge/core/value_table.hpp"
#include "spec/builtin.hpp"

namespace muster {
namespace {

/// All operations on one value. The register certainly holds it from the first return to the last call among them.
struct Zone {
  Position first_return = never;
  Position last_call = 0;
  Position write_call = 0;
  OperationId write = never;  ///< `never`: the initial value
  OperationId first = never;  ///< whose return is the first
  OperationId last = never;   ///< whose call is the last
  bool read = false;

  /// With a stretch of time in which the register can hold nothing else; else there is a moment that all of them share.
  bool is_forward() const { return first_return < last_call; }
  Position low() const { return std::min(first_return, last_call); }
  Position high() const { return std::max(first_return, last_call); }

  void add(Position call, Position ret, OperationId id) {
    if (ret < first_return) {
      first_return = ret;
      first = id;
    }
    if (call >= last_call) {
      last_call = call;
      last = id;
    }
  }
};

class RegisterMonitor {
 public:
  RegisterMonitor(const Binding& binding, std::span<const OperationId> ids, Limits& limits)
      : binding_(binding), history_(binding.history()), ids_(ids), limits_(limits) {}

  std::optional<Verdict> run() {
    ValueTable table(ids_.size());
    // Positions are shifted by one: the initial value is written at 0.
    table.number(binding_.spec().initial_value());
    zones_.push_back({.first_return = 0, .last_call = 0});
    for (const OperationId id : ids_) {
      limits_.step();
      const Operation& operation = history_[id];
      if (binding_.method(operation) == register_read) continue;
      if (table.number(binding_.arguments(operation)[0]) < zones_.size()) return std::nullopt;
      Zone zone{.write_call = operation.call + 1, .write = id};
      zone.add(operation.call + 1, operation.is_pending() ? never : operation.ret + 1, id);
      zones_.push_back(zone);
    }
    for (const OperationId id : ids_) {
      limits_.step();
      const Operation& operation = history_[id];
      if (binding_.method(operation) != register_read || operation.is_pending() || operation.result.is_none()) continue;
      const std::uint32_t number = table.find(operation.result);
      if (number == ValueTable::unknown) {
        return Counterexample{{id}, {id}, fmt::format("{}, but nothing ever wrote it", to_string(history_, id))};
      }
      Zone& zone = zones_[number];
      if (operation.ret + 1 < zone.write_call) {
        return Counterexample{{zone.write, id}, {id}, fmt::format("{} before it was written", to_string(history_, id))};
      }
      zone.read = true;
      zone.add(operation.call + 1, operation.ret + 1, id);
    }
    return sweep();
  }

 private:
  /// Forward zones may not overlap, and no backward zone may lie inside a forward one.
  Verdict sweep() {
    std::vector<std::uint64_t> by_low;
    by_low.reserve(zones_.size());
    for (std::uint32_t number = 0; number < zones_.size(); ++number) {
      const Zone& zone = zones_[number];
      const bool unseen = zone.write != never && !zone.read && history_[zone.write].is_pending();
      if (!unseen) by_low.push_back(std::uint64_t{zone.low()} << 32 | number);
    }
    if (!std::ranges::is_sorted(by_low)) std::ranges::sort(by_low);
    const Zone* widest = nullptr;  // the forward zone that ends last so far
    for (const std::uint64_t key : by_low) {
      limits_.step();
      const Zone& zone = zones_[static_cast<std::uint32_t>(key)];
      if (widest && (zone.is_forward() ? zone.first_return < widest->last_call : zone.high() < widest->last_call)) {
        return conflict(*widest, zone);
      }
      if (zone.is_forward() && (!widest || zone.last_call > widest->last_call)) widest = &zone;
    }
    return Witness{};
  }

  Verdict conflict(const Zone& a, const Zone& b) const {
    Counterexample result;
    for (const Zone* zone : {&a, &b}) {
      for (const OperationId id : {zone->write, zone->first, zone->last}) {
        if (id != never && std::ranges::find(result.operations, id) == result.operations.end())
          result.operations.push_back(id);
      }
    }
    result.misfits = {a.last != never ? a.last : b.last};
    const auto value = [&](const Zone& zone) {
      return zone.write == never ? binding_.spec().initial_value() : binding_.arguments(history_[zone.write])[0];
    };
    result.reason =
        fmt::format("{} and {} would both have to be the value at one time", to_string(value(a)), to_string(value(b)));
    return result;
  }

  const Binding& binding_;
  const History& history_;
  std::span<const OperationId> ids_;
  Limits& limits_;
  std::vector<Zone> zones_;
};

}  // namespace

std::optional<Verdict> monitor_register(const Binding& binding, std::span<const OperationId> ids, Limits& limits) {
  return RegisterMonitor(binding, ids, limits).run();
}

}  // namespace muster
