#pragma once
// The calls and returns of a history one after the other, for whoever writes it down.

#include <algorithm>
#include <vector>

#include "history/history.hpp"

namespace muster {

struct HistoryEvent {
  Position position;
  OperationId id;
  bool is_return;
};

inline std::vector<HistoryEvent> events_in_order(const History& history) {
  std::vector<HistoryEvent> events;
  for (OperationId id = 0; id < history.size(); ++id) {
    events.push_back({history[id].call, id, false});
    if (!history[id].is_pending()) events.push_back({history[id].ret, id, true});
  }
  std::ranges::sort(events, {}, &HistoryEvent::position);
  return events;
}

}  // namespace muster
