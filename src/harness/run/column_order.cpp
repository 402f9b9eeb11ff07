#include "harness/run/column_order.hpp"

namespace muster {

ColumnOrder::ColumnOrder(const Test& test, const std::vector<TracedEvent>& events)
    : columns_(static_cast<unsigned>(test.columns.size())) {
  const auto operations = operations_of(test);
  for (const TracedEvent& traced : events) {
    if (traced.event.kind != EventKind::call || traced.event.thread == 0) continue;
    const int column = operations.at(traced.event.object).column;
    before_ = traced.event.thread - 1u - static_cast<unsigned>(column);
    return;
  }
}

ThreadId ColumnOrder::number(ThreadId thread) const {
  if (before_ == 0 || thread == 0 || thread == no_thread || thread > before_ + columns_) return thread;
  return static_cast<ThreadId>(thread > before_ ? thread - before_ : thread + columns_);
}

void ColumnOrder::apply(Incident& incident) const {
  incident.place.thread = number(incident.place.thread);
  incident.earlier.thread = number(incident.earlier.thread);
}

void ColumnOrder::apply(Replayed& replayed) const {
  for (TracedEvent& traced : replayed.events) {
    Event& event = traced.event;
    event.thread = number(event.thread);
    traced.owner = number(traced.owner);
    for_each_location(traced, [this](Location& location) { location.stack_of = number(location.stack_of); });
    if (event.kind == EventKind::join || event.kind == EventKind::spawn)
      event.object = number(static_cast<ThreadId>(event.object));
  }
  for (Incident& incident : replayed.incidents) apply(incident);
}

}  // namespace muster
