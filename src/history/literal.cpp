#include "history/literal.hpp"

#include <charconv>

namespace muster {
namespace {

/// Cuts `text` at the separators outside quotes and brackets.
template <class F>
void for_each_part(std::string_view text, bool commas_only, F&& take) {
  int depth = 0;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    const bool end = at == text.size();
    if (!end && c == '"' && (at == 0 || text[at - 1] != '\\')) quoted = !quoted;
    if (!end && quoted) continue;
    if (c == '[' || c == '(' || c == '<') ++depth;
    if (c == ']' || c == ')' || c == '>') --depth;
    const bool separator = c == ',' || (!commas_only && c == ' ');
    if (end || (separator && depth == 0)) {
      const std::string_view part = trim(text.substr(start, at - start));
      if (!part.empty()) take(part);
      start = at + 1;
    }
  }
}

Value parse_nested(std::string_view text, unsigned depth) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return Value::integer(number);
  if (text == "nil" || text == "null" || text == "empty" || text == "nothing" || text == "EMPTY") return Value::nil();
  if (text == "true") return Value::boolean(true);
  if (text == "false") return Value::boolean(false);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return Value::text(text.substr(1, text.size() - 2));
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']' && depth < 32) {
    std::vector<Value> items;
    for_each_part(text.substr(1, text.size() - 2), false,
                  [&](std::string_view part) { items.push_back(parse_nested(part, depth + 1)); });
    return Value::list(items);
  }
  const bool digits_only = !text.empty() && text.find_first_not_of("-+.eE0123456789") == text.npos &&
                           text.find_first_of("0123456789") != text.npos;
  return digits_only ? Value::number(text) : Value::symbol(text);
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Value parse_literal(std::string_view text) { return parse_nested(trim(text), 0); }

bool is_closed(std::string_view text) {
  std::string open;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' && (at == 0 || text[at - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '(') open += c;
    if (c != ']' && c != ')') continue;
    if (open.empty() || open.back() != (c == ']' ? '[' : '(')) return false;
    open.pop_back();
  }
  return open.empty() && !quoted;
}

std::vector<Value> parse_literals(std::string_view text) {
  std::vector<Value> values;
  for_each_part(text, true, [&](std::string_view part) { values.push_back(parse_literal(part)); });
  return values;
}

}  // namespace muster
