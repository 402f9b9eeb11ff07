// The small text form of tests and documentation; see parse_history.

#include <fmt/format.h>

#include <algorithm>

#include "history/history.hpp"
#include "history/history_events.hpp"
#include "history/read.hpp"

namespace muster {

History parse_history(std::string_view text, const std::string& name) {
  ReadOptions options;
  options.format = Format::text;
  return read_history_text(text, name, options);
}

std::string to_text(const History& history) {
  const std::vector<HistoryEvent> events = events_in_order(history);
  std::string out;
  for (std::size_t at = 0; at < events.size(); ++at) {
    const auto [position, id, is_return] = events[at];
    const std::string whole = to_string(history, id);
    const std::size_t arrow = whole.find(" -> ");
    const bool at_once = !is_return && at + 1 < events.size() && events[at + 1].id == id;
    const std::string part = at_once ? whole : is_return ? whole.substr(arrow + 1) : whole.substr(0, arrow);
    out += fmt::format("{}: {}\n", to_string(history.process_name(history[id].process)), part);
    at += at_once;
  }
  return out;
}

}  // namespace muster
