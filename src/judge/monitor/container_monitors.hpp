#pragma once
// Near-linear monitors of containers whose values are distinct. Each says nothing (no counterexample) exactly if the
// items, with all pending removals left out, are linearizable.

#include <optional>

#include "judge/monitor/items.hpp"

namespace muster {

/// What a monitor answers: decided, or not its case.
struct Monitored {
  bool decided = true;
  std::optional<Counterexample> counterexample;
};

Monitored monitor_queue(const Items& items, const Binding& binding, Limits* limits = nullptr);
Monitored monitor_stack(const Items& items, const Binding& binding, Limits* limits = nullptr);
Monitored monitor_priority_queue(const Items& items, const Binding& binding, bool largest_first,
                                 Limits* limits = nullptr);

/// An operation that found nothing, all of whose time something is certainly inside: a queue, a stack and a priority
/// queue can each be empty at every moment that no critical interval covers, and at all of them at once, so this is the
/// whole condition on them.
std::optional<Counterexample> covered_empty(const Items& items, const Binding& binding, Limits* limits = nullptr);

/// An item removed before it was inserted.
std::optional<Counterexample> removed_too_early(const Items& items, const Binding& binding);

}  // namespace muster
