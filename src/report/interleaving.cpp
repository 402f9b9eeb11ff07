#include "report/interleaving.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace muster {
namespace {

constexpr std::size_t margin = 4, gap = 2, widest_column = 44, narrowest_column = 18;

/// A step, or why another thread runs from here on.
struct Line {
  std::size_t column;
  std::string text;
  std::string place;
  bool decisive = false;
  bool is_reason = false;
};

struct Table {
  std::vector<std::string> threads;
  std::vector<Line> lines;
  std::size_t place_width = 0;
};

bool is_access(const Step& step) {
  return step.action == "reads" || step.action == "writes" || step.action == "updates";
}

bool same(const Step& a, const Step& b) {
  return a.thread == b.thread && a.operation == b.operation && a.action == b.action && a.object == b.object &&
         a.place == b.place;
}

std::string describe(const Step& step, std::size_t times) {
  std::string what = step.operation.empty() ? "" : step.operation + "  ";
  what += step.action;
  if (!step.object.empty()) what += " " + step.object;
  if (times > 1) what += fmt::format(" ({} times)", times);
  return what;
}

Table lay_out(const std::vector<Step>& steps) {
  Table table;
  const auto column_of = [&](const std::string& thread) {
    const auto found = std::find(table.threads.begin(), table.threads.end(), thread);
    if (found != table.threads.end()) return static_cast<std::size_t>(found - table.threads.begin());
    table.threads.push_back(thread);
    return table.threads.size() - 1;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    std::size_t times = 1;
    while (!step.decisive && i + times < steps.size() && same(step, steps[i + times]) && !steps[i + times].decisive)
      ++times;
    if (!step.why.empty() && i > 0)
      table.lines.push_back({column_of(steps[i - 1].thread), "(" + step.why + ")", "", false, true});
    i += times - 1;
    table.lines.push_back({column_of(step.thread), describe(step, times), step.place, step.decisive, false});
    table.place_width = std::max(table.place_width, width_of(step.place));
  }
  return table;
}

std::string ending(const Line& line, std::size_t place_width, const Painter& painter) {
  if (!line.decisive) return line.place.empty() ? "" : painter.faint(line.place);
  return painter.faint(padded(line.place, place_width)) + painter.bad(place_width ? "  ◄ here" : "◄ here");
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

/// Each as wide as what stands in it, made narrower from the widest on until all fit; nothing if they cannot.
std::vector<std::size_t> column_widths(const Table& table, std::size_t room) {
  std::vector<std::size_t> widths;
  for (const std::string& thread : table.threads) widths.push_back(width_of(thread));
  for (const Line& line : table.lines)
    widths[line.column] = std::max(widths[line.column], std::min(widest_column, width_of(line.text)));
  const auto total = [&] {
    std::size_t sum = 0;
    for (const std::size_t width : widths) sum += width + gap;
    return sum;
  };
  while (total() > room) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= narrowest_column) return {};
    --*widest;
  }
  return widths;
}

std::string draw_columns(const Table& table, const std::vector<std::size_t>& widths, const Painter& painter) {
  const auto row = [&](const auto& cell, const std::string& end) {
    std::string out(margin, ' ');
    for (std::size_t c = 0; c < widths.size(); ++c) out += cell(c) + std::string(gap, ' ');
    return trimmed(out + end);
  };
  std::string out = row([&](std::size_t c) { return painter.strong(padded(table.threads[c], widths[c])); }, "");
  for (const Line& line : table.lines) {
    std::istringstream pieces(wrapped(line.text, widths[line.column], 2));
    std::string end = ending(line, table.place_width, painter);
    for (std::string piece; std::getline(pieces, piece); end.clear()) {
      const auto cell = [&](std::size_t c) {
        if (c != line.column) return std::string(widths[c], ' ');
        const std::string text = padded(shortened(piece, widths[c]), widths[c]);
        return line.is_reason ? painter.faint(text) : text;
      };
      out += row(cell, end);
    }
  }
  return out;
}

std::string draw_list(const Table& table, const Painter& painter, std::size_t width) {
  std::size_t thread_width = 0;
  for (const std::string& thread : table.threads) thread_width = std::max(thread_width, width_of(thread));
  const std::size_t taken = margin + thread_width + gap + gap + table.place_width + 8;
  const std::size_t room = width > taken + narrowest_column ? width - taken : narrowest_column;
  std::string out;
  std::size_t before = table.threads.size();
  for (const Line& line : table.lines) {
    const std::string thread = padded(table.threads[line.column], thread_width);
    const std::string text = padded(shortened(line.text, room), room);
    out += trimmed(fmt::format("{:{}}{}  {}  {}", "", margin, line.column == before ? thread : painter.strong(thread),
                               line.is_reason ? painter.faint(text) : text, ending(line, table.place_width, painter)));
    before = line.column;
  }
  return out;
}

}  // namespace

std::vector<Step> steps_that_matter(const std::vector<Step>& steps) {
  std::map<std::string, std::set<std::string>> touched_by;
  for (const Step& step : steps) touched_by[step.object].insert(step.thread);
  std::vector<Step> kept;
  std::string why;
  for (const Step& step : steps) {
    if (!step.why.empty()) why = step.why;
    const bool own = is_access(step) && !step.object.empty() && touched_by[step.object].size() == 1;
    if (own && !step.decisive) continue;
    kept.push_back(step);
    kept.back().switched = kept.size() == 1 || kept[kept.size() - 2].thread != step.thread;
    kept.back().why = kept.back().switched ? why : "";
    why.clear();
  }
  return kept;
}

std::string draw_interleaving(const std::vector<Step>& steps, const Painter& painter, unsigned width) {
  const std::vector<Step> shown = steps_that_matter(steps);
  const Table table = lay_out(shown);
  const std::size_t aside = margin + table.place_width + 8;
  const auto widths = column_widths(table, width > aside ? width - aside : 0);
  std::string out = widths.empty() ? draw_list(table, painter, width) : draw_columns(table, widths, painter);
  if (const std::size_t left_out = steps.size() - shown.size(); left_out > 0)
    out += painter.faint(fmt::format("    ({} step{} on memory that only one thread touches left out)\n", left_out,
                                     left_out == 1 ? "" : "s"));
  return out;
}

}  // namespace muster
