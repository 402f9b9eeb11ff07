#include "harness/session/serial_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.hpp"

namespace muster {
namespace {

struct Node {
  std::string label;
  std::vector<std::unique_ptr<Node>> children;
};

/// "A Add(200)", "B TryTake → 200", "B Take #".
std::string label(const CheckDefinition& check, const TestOperation& operation, const std::string& answer) {
  std::string text = fmt::format("{} {}", column_name(operation.column), name_of(check, operation.invocation));
  if (answer == "#") return text + " #";
  return answer.empty() ? text : fmt::format("{} → {}", text, answer);
}

Node tree_of(const CheckDefinition& check, const Test& test, const std::vector<SerialRun>& runs) {
  const auto operations = operations_of(test);
  Node root;
  for (const SerialRun& run : runs) {
    Node* at = &root;
    for (std::size_t i = 0; i < run.order.size(); ++i) {
      const std::string text = label(check, operations[run.order[i]], run.answers[i]);
      const auto same = std::find_if(at->children.begin(), at->children.end(),
                                     [&](const std::unique_ptr<Node>& child) { return child->label == text; });
      if (same != at->children.end()) {
        at = same->get();
      } else {
        at->children.push_back(std::make_unique<Node>(Node{text, {}}));
        at = at->children.back().get();
      }
    }
  }
  return root;
}

void draw(const Node& node, const std::string& indent, std::string& out) {
  for (const auto& child : node.children) {
    const bool last = &child == &node.children.back();
    out += fmt::format("{}{} {}\n", indent, last ? "└─" : "├─", child->label);
    draw(*child, indent + (last ? "   " : "│  "), out);
  }
}

std::string markup(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

constexpr unsigned row_height = 24, letter_width = 8, gap = 28;

/// Leaves take a row each, a parent stands in the middle of its children; gives the row of `node` in half rows.
unsigned place(const Node& node, unsigned depth, const std::vector<unsigned>& columns, unsigned& next_row,
               std::string& out) {
  if (node.children.empty()) {
    const unsigned row = 2 * next_row++;
    out += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", columns[depth], row_height + row * row_height / 2,
                       markup(node.label));
    return row;
  }
  std::vector<unsigned> rows;
  for (const auto& child : node.children) rows.push_back(place(*child, depth + 1, columns, next_row, out));
  const unsigned row = (rows.front() + rows.back()) / 2;
  const auto y = [](unsigned half_row) { return row_height + half_row * row_height / 2; };
  const unsigned right = columns[depth] + static_cast<unsigned>(width_of(node.label)) * letter_width;
  if (depth > 0) out += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", columns[depth], y(row), markup(node.label));
  for (const unsigned child : rows)
    out += fmt::format("<path d=\"M{} {}L{} {}\"/>\n", right + 4, y(row) - 4, columns[depth + 1] - 5, y(child) - 4);
  return row;
}

void measure(const Node& node, unsigned depth, std::vector<std::size_t>& widths) {
  if (widths.size() <= depth) widths.push_back(0);
  widths[depth] = std::max(widths[depth], width_of(node.label));
  for (const auto& child : node.children) measure(*child, depth + 1, widths);
}

}  // namespace

std::string draw_serial_tree(const CheckDefinition& check, const Test& test, const std::vector<SerialRun>& runs) {
  std::string out = fmt::format("{}: {}   ({} serial histories)\n", check.name, to_text(check, test), runs.size());
  draw(tree_of(check, test, runs), "", out);
  return out;
}

std::string draw_serial_tree_svg(const CheckDefinition& check, const Test& test, const std::vector<SerialRun>& runs) {
  const Node root = tree_of(check, test, runs);
  std::vector<std::size_t> widths;
  measure(root, 0, widths);
  std::vector<unsigned> columns{10};
  for (const std::size_t width : widths)
    columns.push_back(columns.back() + static_cast<unsigned>(width) * letter_width + gap);
  unsigned rows = 0;
  std::string body;
  place(root, 0, columns, rows, body);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n<title>{}</title>\n"
      "<style>text{{font:13px monospace;fill:#1f2328}}path{{stroke:#8a919b;fill:none}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
      columns.back(), (rows + 1) * row_height, markup(to_text(check, test)), body);
}

}  // namespace muster
