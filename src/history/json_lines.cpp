// Writes what read_json.cpp reads.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "history/history_events.hpp"
#include "history/read.hpp"

namespace muster {
namespace {

void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_json(std::string& out, Value value) {
  switch (value.kind()) {
    case Value::Kind::none:
    case Value::Kind::nil:
      out += "null";
      return;
    case Value::Kind::boolean:
      out += value.is_true() ? "true" : "false";
      return;
    case Value::Kind::integer:
    case Value::Kind::number:
      out += to_string(value);
      return;
    case Value::Kind::text:
    case Value::Kind::symbol:
      append_text(out, value.letters());
      return;
    case Value::Kind::list: {
      out += '[';
      bool first = true;
      for (const Value item : value.items()) {
        if (!std::exchange(first, false)) out += ',';
        append_json(out, item);
      }
      out += ']';
      return;
    }
    case Value::Kind::map: {
      out += '{';
      const auto items = value.items();
      for (std::size_t at = 0; at < items.size(); at += 2) {
        if (at > 0) out += ',';
        append_text(out,
                    items[at].kind() == Value::Kind::text ? std::string(items[at].letters()) : to_string(items[at]));
        out += ':';
        append_json(out, items[at + 1]);
      }
      out += '}';
      return;
    }
  }
}

void append_header(std::string& out, const HistorySource& source) {
  if (source.object.empty()) return;
  out += "{\"object\":";
  append_text(out, source.object);
  if (source.initial) {
    out += ",\"initial\":";
    append_json(out, *source.initial);
  }
  if (source.largest_first) out += ",\"largest_first\":true";
  out += "}\n";
}

void append_call(std::string& out, const History& history, OperationId id) {
  const Operation& operation = history[id];
  out += ",\"op\":";
  append_text(out, history.method_name(operation.method));
  if (!operation.key.is_none()) {
    out += ",\"key\":";
    append_json(out, operation.key);
  }
  out += ",\"args\":[";
  bool first = true;
  for (const Value value : history.arguments(id)) {
    if (!std::exchange(first, false)) out += ',';
    append_json(out, value);
  }
  out += ']';
}

void append_result(std::string& out, const Operation& operation) {
  if (operation.result.is_none()) return;
  out += ",\"result\":";
  append_json(out, operation.result);
}

/// Else nothing but an id tells which return is whose.
bool processes_call_one_at_a_time(const History& history, std::span<const HistoryEvent> events) {
  std::map<ProcessId, bool> calling;
  for (const HistoryEvent& event : events) {
    const ProcessId process = history[event.id].process;
    bool& busy = calling[process];
    if (history.process_name(process).is_none() || (busy && !event.is_return)) return false;
    busy = !event.is_return;
  }
  return true;
}

}  // namespace

std::string to_json_lines(const History& history) {
  std::string out;
  append_header(out, history.source());
  const std::vector<HistoryEvent> events = events_in_order(history);
  const bool needs_ids = !processes_call_one_at_a_time(history, events);
  for (const HistoryEvent& event : events) {
    const Operation& operation = history[event.id];
    out += event.is_return ? "{\"event\":\"return\"" : "{\"event\":\"call\"";
    if (const Value process = history.process_name(operation.process); !process.is_none()) {
      out += ",\"process\":";
      append_json(out, process);
    }
    if (needs_ids) fmt::format_to(std::back_inserter(out), ",\"id\":{}", event.id);
    event.is_return ? append_result(out, operation) : append_call(out, history, event.id);
    const std::int64_t time = event.is_return ? history.return_time(event.id) : history.call_time(event.id);
    if (time != History::no_time) fmt::format_to(std::back_inserter(out), ",\"time\":{}", time);
    out += "}\n";
  }
  return out;
}

}  // namespace muster
