#include "check/test.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace muster {
namespace {

std::string without_spaces(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != ' ' && c != '\t' && c != '\n')) out += c;
  }
  return out;
}

/// Splits at `separator` outside brackets and quotes.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[')) ++depth;
    if (!quoted && (c == ')' || c == ']')) --depth;
    if (c == separator && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Invocation find_invocation(const CheckDefinition& check, const std::string& text) {
  const std::string wanted = without_spaces(text);
  for (std::size_t i = 0; i < check.invocations.size(); ++i) {
    const std::string name = without_spaces(name_of(check, static_cast<Invocation>(i)));
    if (name == wanted || name == wanted + "()") return static_cast<Invocation>(i);
  }
  std::string known;
  for (std::size_t i = 0; i < check.invocations.size(); ++i)
    known += (i ? ", " : "") + name_of(check, static_cast<Invocation>(i));
  fail("check {} has no invocation '{}'; it has {}", check.name, wanted, known);
}

std::string to_text(const CheckDefinition& check, const Sequence& sequence) {
  std::string text;
  for (const Invocation invocation : sequence) text += (text.empty() ? "" : ", ") + name_of(check, invocation);
  return text;
}

}  // namespace

std::size_t Test::size() const {
  std::size_t size = first.size() + last.size();
  for (const Sequence& column : columns) size += column.size();
  return size;
}

std::vector<TestOperation> operations_of(const Test& test) {
  std::vector<TestOperation> operations;
  const auto add = [&](const Sequence& sequence, int column) {
    for (unsigned i = 0; i < sequence.size(); ++i) operations.push_back({sequence[i], column, i});
  };
  add(test.first, -1);
  for (std::size_t i = 0; i < test.columns.size(); ++i) add(test.columns[i], static_cast<int>(i));
  add(test.last, -1);
  return operations;
}

std::string name_of(const CheckDefinition& check, Invocation invocation) {
  const auto& definition = check.invocations[invocation];
  return check.operations[definition.operation].name + "(" + definition.arguments + ")";
}

std::string column_name(int column) {
  if (column < 0) return "main";
  return column < 26 ? std::string(1, static_cast<char>('A' + column)) : fmt::format("T{}", column + 1);
}

std::string to_text(const CheckDefinition& check, const Test& test) {
  std::string text;
  if (!test.first.empty()) text = "first: " + to_text(check, test.first) + " | ";
  for (std::size_t i = 0; i < test.columns.size(); ++i) text += (i ? " | " : "") + to_text(check, test.columns[i]);
  if (!test.last.empty()) text += " | last: " + to_text(check, test.last);
  return text;
}

Sequence parse_sequence(const CheckDefinition& check, std::string_view text) {
  Sequence sequence;
  if (without_spaces(text).empty()) return sequence;
  for (const std::string& part : split(text, ',')) sequence.push_back(find_invocation(check, part));
  return sequence;
}

Test parse_test(const CheckDefinition& check, std::string_view text) {
  Test test;
  for (const std::string& part : split(text, '|')) {
    const auto begin = part.find_first_not_of(" \t\n");
    const std::string_view column =
        begin == std::string::npos ? std::string_view() : std::string_view(part).substr(begin);
    if (column.starts_with("first:")) {
      test.first = parse_sequence(check, column.substr(6));
    } else if (column.starts_with("last:")) {
      test.last = parse_sequence(check, column.substr(5));
    } else if (!column.empty()) {
      test.columns.push_back(parse_sequence(check, column));
    }
  }
  if (test.columns.empty())
    fail("the test '{}' has no column: write calls separated by commas, and columns by |", text);
  return test;
}

std::string dimension(const Test& test) {
  std::size_t longest = 0;
  for (const Sequence& column : test.columns) longest = std::max(longest, column.size());
  return fmt::format("{}x{}", test.columns.size(), longest);
}

std::uint64_t serial_orders(const Test& test) {
  // A product of binomials, in which every intermediate value is a whole number.
  constexpr std::uint64_t most = ~std::uint64_t{0};
  unsigned __int128 orders = 1;
  std::uint64_t placed = 0;
  for (const Sequence& column : test.columns) {
    for (std::uint64_t i = 1; i <= column.size(); ++i) {
      orders = orders * ++placed / i;
      if (orders > most) return most;
    }
  }
  return static_cast<std::uint64_t>(orders);
}

}  // namespace muster
