// Writes what read_json.cpp reads.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

}  // namespace

std::string to_json_lines(const History& history) {
  const std::vector<HistoryEvent> events = events_in_order(history);
  std::string out;
  if (!history.source().object.empty()) {
    out += "{\"object\":";
    append_text(out, history.source().object);
    if (history.source().initial) {
      out += ",\"initial\":";
      append_json(out, *history.source().initial);
    }
    if (history.source().largest_first) out += ",\"largest_first\":true";
    out += "}\n";
  }
  for (const HistoryEvent& event : events) {
    const Operation& operation = history[event.id];
    out += "{\"process\":";
    append_json(out, history.process_name(operation.process));
    if (event.is_return) {
      out += ",\"event\":\"return\"";
      if (!operation.result.is_none()) {
        out += ",\"result\":";
        append_json(out, operation.result);
      }
    } else {
      out += ",\"event\":\"call\",\"op\":";
      append_text(out, history.method_name(operation.method));
      if (!operation.key.is_none()) {
        out += ",\"key\":";
        append_json(out, operation.key);
      }
      out += ",\"args\":[";
      bool first = true;
      for (const Value value : history.arguments(event.id)) {
        if (!std::exchange(first, false)) out += ',';
        append_json(out, value);
      }
      out += ']';
    }
    if (history.has_times()) {
      fmt::format_to(std::back_inserter(out), ",\"time\":{}", event.is_return ? history.return_time(event.id) : history.call_time(event.id));
    }
    out += "}\n";
  }
  return out;
}

}  // namespace muster
