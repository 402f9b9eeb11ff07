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
    case Value::Kind::nil: out += "null"; return;
    case Value::Kind::boolean: out += value.is_true() ? "true" : "false"; return;
    case Value::Kind::integer:
    case Value::Kind::number: out += to_string(value); return;
    case Value::Kind::text:
    case Value::Kind::symbol: append_text(out, value.letters()); return;
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
        append_text(out, items[at].kind() == Value::Kind::text ? std::string(items[at].letters()) : to_string(items[at]));
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
  out += "\"op\":";
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

bool names_processes(const History& history) {
  return std::ranges::none_of(history.operations(),
                              [&](const Operation& o) { return history.process_name(o.process).is_none(); });
}

bool calls_one_at_a_time(const History& history) {
  std::map<ProcessId, bool> calling;
  for (const HistoryEvent& event : events_in_order(history)) {
    bool& busy = calling[history[event.id].process];
    if (busy && !event.is_return) return false;
    busy = !event.is_return;
  }
  return true;
}

/// Where a process has several calls under way, or there are none, nothing but times tells which return is whose.
std::string to_intervals(const History& history) {
  std::string out;
  append_header(out, history.source());
  for (OperationId id = 0; id < history.size(); ++id) {
    out += '{';
    if (const Value process = history.process_name(history[id].process); !process.is_none()) {
      out += "\"process\":";
      append_json(out, process);
      out += ',';
    }
    append_call(out, history, id);
    const bool returns = !history[id].is_pending();
    if (returns) append_result(out, history[id]);
    fmt::format_to(std::back_inserter(out), ",\"start\":{}", history.call_time(id));
    if (returns) fmt::format_to(std::back_inserter(out), ",\"end\":{}", history.return_time(id));
    out += "}\n";
  }
  return out;
}

}  // namespace

std::string to_json_lines(const History& history) {
  if (history.has_times() && !(names_processes(history) && calls_one_at_a_time(history))) return to_intervals(history);
  std::string out;
  append_header(out, history.source());
  for (const HistoryEvent& event : events_in_order(history)) {
    const Operation& operation = history[event.id];
    out += "{\"process\":";
    append_json(out, history.process_name(operation.process));
    if (event.is_return) {
      out += ",\"event\":\"return\"";
      append_result(out, operation);
    } else {
      out += ",\"event\":\"call\",";
      append_call(out, history, event.id);
    }
    const std::int64_t time = event.is_return ? history.return_time(event.id) : history.call_time(event.id);
    if (time != History::no_time) fmt::format_to(std::back_inserter(out), ",\"time\":{}", time);
    out += "}\n";
  }
  return out;
}

}  // namespace muster
