#include "history/edn.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace muster {
namespace {

constexpr unsigned deepest = 100;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == '\f'; }

bool ends_word(char c) {
  return is_blank(c) || c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}' || c == '"' || c == ';';
}

void check_depth(unsigned depth) {
  if (depth > deepest) throw EdnCursor::Malformed("forms are nested deeper than 100");
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

}  // namespace

bool EdnCursor::skip_blanks() {
  for (;;) {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n';
    if (at_ == text_.size()) return false;
    if (text_[at_] == ';') {
      const std::size_t end = text_.find('\n', at_);
      if (end == text_.npos) {
        at_ = text_.size();
        return false;
      }
      at_ = end;
    } else if (text_[at_] == '#' && at_ + 1 < text_.size() && text_[at_ + 1] == '_') {
      at_ += 2;
      skip_value(1);
    } else {
      return true;
    }
  }
}

char EdnCursor::look() {
  if (!skip_blanks()) throw Incomplete();
  return text_[at_];
}

std::string_view EdnCursor::number_or_word() {
  const std::size_t start = at_;
  while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
  if (at_ == text_.size()) throw Incomplete();
  return text_.substr(start, at_ - start);
}

std::string_view EdnCursor::word() {
  look();
  const std::string_view found = number_or_word();
  if (found.empty()) throw Malformed(std::string("`") + text_[at_] + "` stands where a word is expected");
  return found;
}

void EdnCursor::skip_tag() {
  ++at_;
  if (at_ < text_.size() && text_[at_] == '{') return;
  number_or_word();
}

Value EdnCursor::character() {
  const std::size_t start = at_;
  at_ += 2;  // the backslash and whatever follows it, even a bracket
  while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
  if (at_ >= text_.size()) throw Incomplete();
  return Value::text(text_.substr(start + 1, at_ - start - 1));
}

Value EdnCursor::text() {
  std::string content;
  for (++at_;; ++at_) {
    if (at_ >= text_.size()) throw Incomplete();
    char c = text_[at_];
    if (c == '"') break;
    line_ += c == '\n';
    if (c != '\\') {
      content += c;
      continue;
    }
    if (++at_ >= text_.size()) throw Incomplete();
    c = text_[at_];
    if (c == 'u') {
      if (at_ + 4 >= text_.size()) throw Incomplete();
      unsigned code = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_ + 1, text_.data() + at_ + 5, code, 16);
      if (error != std::errc() || end != text_.data() + at_ + 5) throw Malformed("\\u needs four hexadecimal digits");
      append_utf8(content, code);
      at_ += 4;
    } else {
      content += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  ++at_;
  return Value::text(content);
}

void EdnCursor::skip_text() {
  for (++at_;; ++at_) {
    if (at_ >= text_.size()) throw Incomplete();
    if (text_[at_] == '"') break;
    line_ += text_[at_] == '\n';
    if (text_[at_] == '\\') ++at_;
  }
  ++at_;
}

Value EdnCursor::sequence(char close, unsigned depth) {
  ++at_;
  std::vector<Value> items;
  while (look() != close) items.push_back(value(depth + 1));
  ++at_;
  return Value::list(items);
}

Value EdnCursor::map(unsigned depth) {
  ++at_;
  std::vector<Value> items;
  while (look() != '}') items.push_back(value(depth + 1));
  ++at_;
  if (items.size() % 2 != 0) throw Malformed("a map has a key without a value");
  std::vector<Value> keys;
  for (std::size_t i = 0; i < items.size(); i += 2) keys.push_back(items[i]);
  std::ranges::sort(keys);
  const auto twice = std::ranges::adjacent_find(keys);
  if (twice != keys.end()) throw Malformed("a map has the key " + to_string(*twice) + " twice");
  return Value::map(items);
}

Value EdnCursor::value(unsigned depth) {
  check_depth(depth);
  switch (const char c = look()) {
    case '"':
      return text();
    case '[':
      return sequence(']', depth);
    case '(':
      return sequence(')', depth);
    case '{':
      return map(depth);
    case '\\':
      return character();
    case '#':
      if (at_ + 1 >= text_.size()) throw Incomplete();
      if (text_[at_ + 1] == '{') {
        ++at_;
        return sequence('}', depth);
      }
      skip_tag();
      return value(depth + 1);
    case ']':
    case ')':
    case '}':
      throw Malformed(std::string("`") + c + "` closes nothing");
    default:
      break;
  }
  const std::string_view found = number_or_word();
  if (found == "nil") return Value::nil();
  if (found == "true") return Value::boolean(true);
  if (found == "false") return Value::boolean(false);
  const char first = found.front();
  const bool is_number = (first >= '0' && first <= '9') ||
                         ((first == '-' || first == '+') && found.size() > 1 && found[1] >= '0' && found[1] <= '9');
  if (!is_number) return Value::symbol(found);
  std::string_view digits = first == '+' ? found.substr(1) : found;
  if (digits.ends_with('N')) digits.remove_suffix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size()) return Value::integer(number);
  return Value::number(digits);
}

void EdnCursor::skip_value(unsigned depth) {
  check_depth(depth);
  switch (const char c = look()) {
    case '"':
      skip_text();
      return;
    case '\\':
      character();
      return;
    case '[':
    case '(':
    case '{': {
      const char close = c == '[' ? ']' : c == '(' ? ')' : '}';
      ++at_;
      while (look() != close) skip_value(depth + 1);
      ++at_;
      return;
    }
    case '#': {
      if (at_ + 1 >= text_.size()) throw Incomplete();
      const bool is_set = text_[at_ + 1] == '{';
      is_set ? skip_character() : skip_tag();
      skip_value(depth + 1);
      return;
    }
    case ']':
    case ')':
    case '}':
      throw Malformed(std::string("`") + c + "` closes nothing");
    default:
      number_or_word();
      return;
  }
}

}  // namespace muster
