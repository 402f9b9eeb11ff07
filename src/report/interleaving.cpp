#include "report/interleaving.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <utility>

namespace muster {
namespace {

constexpr std::size_t margin = 4, gap = 2, widest_column = 44, narrowest_column = 18;

/// A step, or why another thread runs from here on.
struct Line {
  std::size_t column;
  std::string text;
  std::string place;
  std::string mark = {};
  std::string source = {};
  bool is_reason = false;
};

struct Table {
  std::vector<std::string> threads;
  std::vector<Line> lines;
  std::size_t place_width = 0;
  std::size_t mark_width = 0;
};

/// After which step nothing helps any more, which one decides, and where it shows.
std::string mark_of(const Step& step) {
  if (step.no_return) return step.decides ? "◄ decides, here" : "◄ here";
  return step.decides ? "◄ decides" : step.races ? "◄ races" : step.decisive ? "◄ shows" : "";
}

bool is_access(const Step& step) {
  constexpr std::string_view accesses[] = {"reads", "writes", "updates", "exchanges", "tries"};
  return std::ranges::find(accesses, step.action) != std::end(accesses);
}

bool same(const Step& a, const Step& b) {
  return a.thread == b.thread && a.operation == b.operation && a.action == b.action && a.object == b.object &&
         a.detail == b.detail && a.place == b.place;
}

/// The operation is named where it begins and where it returns; in between, steps are indented.
std::string describe(const Step& step, bool goes_on) {
  std::string what = step.operation.empty() ? "" : goes_on ? "  " : step.operation + "  ";
  what += step.action;
  if (!step.object.empty()) what += " " + step.object;
  if (!step.detail.empty())
    what += (step.detail.starts_with(':') || step.detail.starts_with(',') ? "" : " ") + step.detail;
  return what;
}

/// A thread that goes to sleep, and then sleeps: the second says it all.
bool is_told_by_next(const Step& step, const Step& next) {
  const bool goes_to_sleep =
      step.action.starts_with("waits on") || step.action.starts_with("waits with") || step.action == "goes to sleep on";
  const bool sleeps = next.action == "waits to be notified of" || next.action.starts_with("sleeps until");
  return goes_to_sleep && sleeps && step.thread == next.thread && step.object == next.object && step.why.empty();
}

bool is_marked(const Step& step) { return step.decisive || step.no_return || step.decides || step.races; }

/// "list.hpp:31 from :70"
std::string place_of(const Step& step, bool with_caller) {
  if (step.caller.empty() || !with_caller) return step.place;
  const std::string file = step.place.substr(0, step.place.rfind(':'));
  const bool same_file = step.caller.starts_with(file + ":");
  return step.place + " from " + (same_file ? step.caller.substr(file.size()) : step.caller);
}

/// How often the `length` steps from `at` on come again right after, none of them being where it shows.
std::size_t repetitions(const std::vector<Step>& steps, std::size_t at, std::size_t length) {
  std::size_t count = 0;
  for (std::size_t next = at + length; next + length <= steps.size(); next += length, ++count) {
    for (std::size_t i = 0; i < length; ++i) {
      if (!same(steps[at + i], steps[next + i]) || is_marked(steps[at + i]) || is_marked(steps[next + i])) return count;
    }
  }
  return count;
}

/// The turns of a loop: what is done again and again, as few steps as possible.
struct Loop {
  std::size_t length = 1, times = 1;
};

Loop loop_at(const std::vector<Step>& steps, std::size_t at) {
  constexpr std::size_t longest = 6;
  for (std::size_t length = 1; length <= longest && at + length <= steps.size(); ++length) {
    if (steps[at + length - 1].thread != steps[at].thread) break;
    if (const std::size_t more = repetitions(steps, at, length)) return {length, more + 1};
  }
  return {};
}

Table lay_out(const std::vector<Step>& steps, bool with_callers) {
  Table table;
  const auto column_of = [&](const std::string& thread) {
    const auto found = std::find(table.threads.begin(), table.threads.end(), thread);
    if (found != table.threads.end()) return static_cast<std::size_t>(found - table.threads.begin());
    table.threads.push_back(thread);
    return table.threads.size() - 1;
  };
  std::map<std::string, std::string> under_way;  // operations, by thread
  const auto add = [&](const Step& step) {
    std::string& operation = under_way[step.thread];
    const bool returns = step.action.starts_with("returns") || step.action.starts_with("throws");
    const bool goes_on = operation == step.operation && !returns;
    operation = returns ? "" : step.operation;
    table.lines.push_back({column_of(step.thread), describe(step, goes_on), place_of(step, with_callers), mark_of(step),
                           step.source, false});
    table.place_width = std::max(table.place_width, width_of(table.lines.back().place));
    table.mark_width = std::max(table.mark_width, width_of(table.lines.back().mark) + gap);
  };
  for (std::size_t i = 0; i < steps.size();) {
    if (i + 1 < steps.size() && is_told_by_next(steps[i], steps[i + 1])) {
      ++i;
      continue;
    }
    if (!steps[i].why.empty() && i > 0)
      table.lines.push_back({column_of(steps[i - 1].thread), "(" + steps[i].why + ")", "", "", "", true});
    const Loop loop = loop_at(steps, i);
    for (std::size_t s = 0; s < loop.length; ++s) add(steps[i + s]);
    if (loop.times > 1 && loop.length == 1) {
      table.lines.back().text += fmt::format(" ({} times)", loop.times);
    } else if (loop.times > 1) {
      const std::string indent = table.lines.back().text.starts_with("  ") ? "  " : "";
      table.lines.push_back({column_of(steps[i].thread),
                             fmt::format("{}(these {} steps {} times)", indent, loop.length, loop.times), "", "", "",
                             true});
    }
    i += loop.length * loop.times;
  }
  return table;
}

std::string ending(const Line& line, std::size_t place_width, const Painter& painter) {
  if (line.mark.empty()) return line.place.empty() ? "" : painter.faint(line.place);
  return painter.faint(padded(line.place, place_width)) + painter.bad((place_width ? "  " : "") + line.mark);
}

/// Where the rest of a line that is too long begins.
std::size_t continuation(const Line& line) { return line.text.starts_with("  ") ? 4 : 2; }

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    longest = std::max(longest, width_of(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

/// Each as wide as what stands in it, made narrower from the widest on until all fit; nothing if they cannot. Words
/// stay whole if `whole_words`.
std::vector<std::size_t> column_widths(const Table& table, std::size_t room, bool whole_words) {
  std::vector<std::size_t> widths, least;
  for (const std::string& thread : table.threads) widths.push_back(width_of(thread));
  least.resize(widths.size(), narrowest_column);
  for (const Line& line : table.lines) {
    std::size_t& word = least[line.column];
    if (whole_words) word = std::max(word, longest_word(line.text) + continuation(line));
    widths[line.column] = std::max(widths[line.column], std::min(std::max(widest_column, word), width_of(line.text)));
  }
  const auto total = [&] {
    std::size_t sum = 0;
    for (const std::size_t width : widths) sum += width + gap;
    return sum;
  };
  while (total() > room) {
    std::size_t widest = widths.size();
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (widths[c] > least[c] && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
    }
    if (widest == widths.size()) return {};
    --widths[widest];
  }
  return widths;
}

/// As it fits a column: broken at spaces, and where a word is too long for that, after a mark within it.
std::vector<std::string> pieces_of(const Line& line, std::size_t width) {
  std::vector<std::string> pieces;
  std::istringstream lines(wrapped(line.text, width, continuation(line)));
  for (std::string piece; std::getline(lines, piece);) {
    while (width_of(piece) > width) {
      const std::size_t room = shortened(piece, width).size() - std::string_view("…").size();
      const std::size_t mark = piece.find_last_of("_.:/", room - 1);
      const std::size_t end = mark != std::string::npos && mark > continuation(line) ? mark + 1 : room;
      pieces.push_back(piece.substr(0, end));
      piece = std::string(continuation(line), ' ') + piece.substr(end);
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

/// What the code says, where there is room for it beside all the rest.
class SourceColumn {
 public:
  SourceColumn(const Table& table, const std::vector<std::size_t>& widths, std::size_t width) {
    column_ = margin + table.place_width + table.mark_width + gap;
    for (const std::size_t each : widths) column_ += each + gap;
    room_ = width > column_ ? width - column_ : 0;
  }

  /// Behind a line that is so wide up to there.
  std::string beside(const Line& line, std::size_t taken, const Painter& painter) const {
    if (room_ < narrowest || line.source.empty() || taken > column_) return "";
    return std::string(column_ - taken, ' ') + painter.faint(shortened(line.source, room_));
  }

 private:
  static constexpr std::size_t narrowest = 28;
  std::size_t column_ = 0, room_ = 0;
};

std::string draw_columns(const Table& table, const std::vector<std::size_t>& widths, const Painter& painter,
                         std::size_t width) {
  const SourceColumn sources(table, widths, width);
  std::size_t before = margin;
  for (const std::size_t each : widths) before += each + gap;
  const auto row = [&](const auto& cell, const std::string& end) {
    std::string out(margin, ' ');
    for (std::size_t c = 0; c < widths.size(); ++c) out += cell(c) + std::string(gap, ' ');
    return trimmed(out + end);
  };
  std::string out = row([&](std::size_t c) { return padded(painter.strong(table.threads[c]), widths[c]); }, "");
  for (const Line& line : table.lines) {
    std::string end = ending(line, table.place_width, painter);
    end += sources.beside(line, before + width_of(ending(line, table.place_width, Painter(false))), painter);
    for (const std::string& piece : pieces_of(line, widths[line.column])) {
      const auto cell = [&](std::size_t c) {
        if (c != line.column) return std::string(widths[c], ' ');
        return padded(line.is_reason ? painter.faint(piece) : piece, widths[c]);
      };
      out += row(cell, end);
      end.clear();
    }
  }
  return out;
}

/// One line after the other, each with its thread; where a terminal is too narrow even for that, places stand below.
std::string draw_list(const Table& table, const Painter& painter, std::size_t width) {
  std::size_t thread_width = 0;
  for (const std::string& thread : table.threads) thread_width = std::max(thread_width, width_of(thread));
  const std::size_t before = margin + thread_width + gap, aside = gap + table.place_width + table.mark_width;
  const bool has_places_beside = width >= before + narrowest_column + aside;
  const std::size_t taken = before + (has_places_beside ? aside : 0);
  const std::size_t room = width > taken + narrowest_column ? width - taken : narrowest_column;
  std::string out;
  std::size_t last = table.threads.size();
  for (const Line& line : table.lines) {
    std::string thread = padded(table.threads[line.column], thread_width);
    if (line.column != last) thread = painter.strong(thread);
    last = line.column;
    const auto row = [&](const std::string& text, const std::string& end) {
      out += trimmed(fmt::format("{:{}}{}  {}{}", "", margin, thread, text, end));
      thread = std::string(thread_width, ' ');
    };
    std::string end = has_places_beside ? "  " + ending(line, table.place_width, painter) : "";
    std::istringstream pieces(wrapped(line.text, room, continuation(line)));
    for (std::string piece; std::getline(pieces, piece); end.clear()) {
      const std::string text = line.is_reason ? painter.faint(piece) : piece;
      row(end.empty() ? text : padded(text, room), end);
    }
    if (has_places_beside) continue;
    const std::string indent(continuation(line), ' ');
    const bool has_mark_below = before + indent.size() + width_of(line.place) + table.mark_width > width;
    if (!line.place.empty() && (has_mark_below || line.mark.empty())) row(indent, painter.faint(line.place));
    if (!line.mark.empty())
      row(indent, has_mark_below ? painter.bad(line.mark) : ending(line, width_of(line.place), painter));
  }
  return out;
}

constexpr std::string_view library_data = "data of the standard library";

/// Steps that one line makes through the standard library, one after the other: of them, those on the library's own
/// data tell nothing, nor those that were told before.
class LibrarySteps {
 public:
  explicit LibrarySteps(const std::vector<Step>& steps) : is_inside_(steps.size()) {
    for (std::size_t begin = 0, end = 0; begin < steps.size(); begin = end) {
      for (end = begin + 1; end < steps.size() && is_one_call(steps[begin], steps[end]);) ++end;
      look_at(std::span(steps).subspan(begin, end - begin), begin);
    }
  }

  bool is_inside(std::size_t step) const { return is_inside_[step]; }

 private:
  static bool is_one_call(const Step& a, const Step& b) {
    return a.thread == b.thread && !a.place.empty() && a.place == b.place && a.caller == b.caller && b.why.empty();
  }

  void look_at(std::span<const Step> call, std::size_t begin) {
    const auto is_library = [](const Step& step) { return step.object == library_data || step.action == "calls"; };
    if (std::ranges::none_of(call, is_library)) return;
    // That it was called is told if nothing else says so.
    const auto told = std::ranges::all_of(call, is_library)
                          ? std::ranges::find(call, std::string_view("calls"), &Step::action) - call.begin()
                          : std::ssize(call);
    for (std::size_t i = 0; i < call.size(); ++i) {
      const auto is_told = [&](const Step& earlier) { return same(earlier, call[i]); };
      const bool is_known = std::any_of(call.begin(), call.begin() + static_cast<std::ptrdiff_t>(i), is_told);
      if (std::cmp_equal(i, told)) continue;
      is_inside_[begin + i] = !is_marked(call[i]) && (is_library(call[i]) || is_known || call[i].action == "yields");
    }
  }

  std::vector<bool> is_inside_;
};

/// Where the story begins: of many steps that a thread makes before any other one, the last few.
std::size_t beginning(const std::vector<Step>& steps) {
  constexpr std::size_t many = 16, few = 4;
  const auto other = std::ranges::find_if(steps, [&](const Step& step) { return step.thread != steps[0].thread; });
  const auto alone = static_cast<std::size_t>(other - steps.begin());
  if (other == steps.end() || alone <= many) return 0;
  const auto marked = static_cast<std::size_t>(std::ranges::find_if(steps, is_marked) - steps.begin());
  return std::min(alone - few, marked);
}

}  // namespace

std::vector<Step> steps_that_matter(const std::vector<Step>& all) {
  const std::vector<Step> steps(all.begin() + static_cast<std::ptrdiff_t>(beginning(all)), all.end());
  std::map<std::string, std::set<std::string>> touched_by;
  for (const Step& step : steps) touched_by[step.object].insert(step.thread);
  const LibrarySteps library(steps);
  std::vector<Step> kept;
  std::string why;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (!step.why.empty()) why = step.why;
    const bool own = is_access(step) && !step.object.empty() && touched_by[step.object].size() == 1;
    // What a step took no notice of may have been written before all that is shown.
    const bool is_stale = step.detail.find(", stale: ") != std::string::npos;
    if (!is_stale && ((own && !is_marked(step)) || library.is_inside(i))) continue;
    kept.push_back(step);
    kept.back().switched = kept.size() == 1 || kept[kept.size() - 2].thread != step.thread;
    kept.back().why = kept.back().switched ? why : "";
    why.clear();
  }
  return kept;
}

std::string draw_interleaving(const std::vector<Step>& steps, const Painter& painter, unsigned width) {
  const std::vector<Step> shown = steps_that_matter(steps);
  const auto room_beside = [width](const Table& table) {
    const std::size_t aside = margin + table.place_width + table.mark_width;
    return width > aside ? width - aside : 0;
  };
  // Where a function was called is told if no step has to be broken for it.
  constexpr std::size_t endless = 10'000;
  Table table = lay_out(shown, true);
  auto widths = column_widths(table, room_beside(table), true);
  if (widths.empty() || widths != column_widths(table, endless, true)) {
    table = lay_out(shown, false);
    widths = column_widths(table, room_beside(table), true);
  }
  if (widths.empty()) widths = column_widths(table, room_beside(table), false);
  // Columns in which too many steps are broken are harder to read than a list.
  const std::string columns = widths.empty() ? "" : draw_columns(table, widths, painter, width);
  std::string out = draw_list(table, painter, width);
  const auto lines = [](const std::string& drawn) { return std::ranges::count(drawn, '\n'); };
  if (!columns.empty() && 5 * (lines(columns) - 1) <= 6 * lines(out)) out = columns;
  const std::size_t before = beginning(steps);
  if (before > 0) out += painter.faint(fmt::format("    ({} steps before these left out)", before)) + "\n";
  if (const std::size_t left_out = steps.size() - before - shown.size(); left_out > 0) {
    const bool has_library = std::ranges::any_of(steps, [](const Step& step) { return step.object == library_data; });
    const std::string text =
        fmt::format("    ({} step{} {}left out)", left_out, left_out == 1 ? "" : "s",
                    has_library ? "on memory that only one thread touches, or inside the standard library, "
                                : "on memory that only one thread touches ");
    out += painter.faint(wrapped(text, width, margin)) + "\n";
  }
  return out;
}

}  // namespace muster
