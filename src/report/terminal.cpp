#include "report/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "report/interleaving.hpp"
#include "report/painter.hpp"
#include "report/recording.hpp"

namespace muster {
namespace {

/// What to type next, after what it is for. On a terminal that is too narrow it goes on after a backslash, so that it
/// can still be copied; nothing is broken within quotes.
std::string draw_command(std::string_view purpose, std::string command, const TerminalStyle& style) {
  constexpr char quoted_space = '\1';
  constexpr std::size_t column = 9, indent = 13;
  std::string out = fmt::format("{:<{}}", purpose, column);
  if (!style.terminal || column + width_of(command) <= style.width) return out + command + "\n";
  char quote = 0;
  for (char& c : command) {
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (quote != 0 && c == ' ')
      c = quoted_space;
  }
  for (const char c : wrapped(command, style.width - 2, indent, column)) {
    if (c == '\n') out += " \\";
    out += c == quoted_space ? ' ' : c;
  }
  return out + "\n";
}

/// One thread's operations with their answers: broken between operations where that is possible.
std::string draw_matrix_row(std::string_view row, std::size_t width) {
  constexpr std::size_t margin = 4, indent = margin + 8;  // the thread's name stands before
  constexpr std::string_view between = "   ";
  std::string out(margin, ' ');
  std::size_t column = margin;
  while (!row.empty()) {
    // Names of threads are padded, too: what begins before the indent is one.
    const std::size_t end = std::min(row.find(between, column == margin ? indent - margin : 0), row.size());
    const std::size_t next = std::min(row.find_first_not_of(' ', end), row.size());
    const std::string_view cell = row.substr(0, end);
    if (column > indent && column + width_of(cell) > width) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    out += wrapped(cell, width, indent + 2, column);
    out += row.substr(end, next - end);
    column += width_of(row.substr(0, next));
    row.remove_prefix(next);
  }
  return out + "\n";
}

std::string rule(unsigned width) {
  constexpr unsigned widest = 72;
  std::string line;
  for (unsigned i = 0; i < std::min(width, widest); ++i) line += "─";
  return line;
}

/// Sentence, test, interleaving, serial runs: the order in which questions come up.
std::string draw_finding(const Finding& finding, const TerminalStyle& style, const Painter& painter) {
  const bool is_predicted = finding.grade != FindingGrade::none;
  const std::string verdict = finding.proven ? "FAIL" : is_predicted ? std::string(name(finding.grade)) : "UNDECIDED";
  const std::size_t column = verdict.size() + width_of(finding.subject) + 3;
  std::string out = fmt::format("{} {}: {}\n", finding.proven ? painter.bad(verdict) : painter.unsure(verdict),
                                painter.strong(finding.subject), wrapped(finding.sentence, style.width, 5, column));
  if (!finding.cause.empty()) out += "     " + wrapped(finding.cause, style.width - 5, 5) + "\n";
  if (!finding.matrix.empty()) out += "\n";
  for (const std::string& line : finding.matrix) out += draw_matrix_row(line, style.width);
  if (!finding.steps.empty()) {
    const std::string title =
        is_predicted ? "How it would happen:"
        : finding.schedule.empty()
            ? "How it happened, as far as calls and returns tell:"
            : fmt::format("How it happened ({} preemption{}{}):", finding.preemptions,
                          finding.preemptions == 1 ? "" : "s",
                          finding.execution > 0 ? ", execution " + with_commas(finding.execution) : "");
    out += "\n" + wrapped(title, style.width, 4) + "\n\n";
    out += draw_interleaving(finding.steps, painter, style.width);
  }
  if (!finding.afterwards.empty()) out += "\n";
  for (const std::string& line : finding.afterwards) out += wrapped(line, style.width, 8) + "\n";
  // What was seen stands above, what it takes to see it again below.
  if (!finding.schedule.empty()) out += "\n" + painter.faint(rule(style.width)) + "\n";
  if (!finding.notes.empty() && finding.schedule.empty()) out += "\n";
  for (const std::string& note : finding.notes) out += "     " + wrapped(note, style.width - 5, 5) + "\n";
  if (!finding.schedule.empty()) out += fmt::format("Schedule {}\n", finding.schedule);
  return out;
}

/// Of a result without findings.
std::string verdict(Outcome outcome, const Painter& painter) {
  switch (outcome) {
    case Outcome::passed:
      return painter.good("PASS");
    case Outcome::no_finding:
      return painter.unsure("NO FINDING");
    case Outcome::failed:
    case Outcome::undecided:
      return painter.unsure("UNDECIDED");
  }
  return "";
}

std::string bound_of(const CoverageReport& coverage) {
  const bool by_classes = coverage.strategy == "dpor" || coverage.reduced;
  if (coverage.all_schedules && by_classes) {
    const char* const alike = coverage.symmetry.empty() ? ""
                              : coverage.symmetry == "data"
                                  ? " but for the names of threads with the same calls, whatever their arguments"
                                  : " but for the names of threads with the same calls";
    return fmt::format("all schedules{}, by an execution of each class", alike);
  }
  if (coverage.all_schedules) return "all schedules";
  // Predictions only come first: the search after them is the same.
  const bool is_search =
      coverage.strategy == "dfs" || coverage.strategy == "predict" || coverage.strategy == "portfolio";
  if (!is_search && !by_classes)
    return fmt::format("{} executions of strategy {}", with_commas(coverage.executions - coverage.serial_executions),
                       coverage.strategy);
  if (!coverage.some_bound_exhausted) return "no bound exhausted";
  if (coverage.unbounded) return "all schedules without switches between fruitless turns of loops";
  if (coverage.preemptions == 0 && coverage.late_yields == 0) return "all schedules without preemptions";
  return fmt::format(
      "all schedules with at most {} preemption{}{}", coverage.preemptions, coverage.preemptions == 1 ? "" : "s",
      coverage.late_yields
          ? fmt::format(" and {} late yield{}", coverage.late_yields, coverage.late_yields == 1 ? "" : "s")
          : "");
}

std::string bound_text(const CoverageReport& coverage) {
  constexpr std::string_view all = "all schedules";
  std::string text = bound_of(coverage);
  if (!coverage.unwatched_calls.empty() && text.starts_with(all)) text.insert(all.size(), " of what is watched");
  return text;
}

/// What nobody but its callers tells of.
std::string draw_unwatched_calls(const std::vector<std::string>& calls, const Painter& painter) {
  constexpr std::size_t most = 8;
  if (calls.empty()) return "";
  const std::span<const std::string> shown(calls.data(), std::min(most, calls.size()));
  std::string text = fmt::format("     Called, and not watched: {}", fmt::join(shown, ", "));
  if (calls.size() > most) text += fmt::format(" and {} more", calls.size() - most);
  return painter.faint(text) + "\n";
}

/// Explored with sequentially consistent values; what a weaker order allows besides is not covered.
std::string draw_weak_orders(const std::vector<std::string>& places, const Painter& painter) {
  constexpr std::size_t most = 6;
  if (places.empty()) return "";
  const std::span<const std::string> shown(places.data(), std::min(most, places.size()));
  std::string text = fmt::format("     Weak orders not explored: {}", fmt::join(shown, ", "));
  if (places.size() > most) text += fmt::format(" and {} more places", places.size() - most);
  return painter.faint(text) + "\n";
}

std::string warnings(const CoverageReport& coverage, const Painter& painter) {
  std::string out;
  for (const std::string& warning : coverage.warnings) out += painter.unsure("     Warning: ") + warning + ".\n";
  return out;
}

std::string histories(const CoverageReport& coverage) {
  if (coverage.histories == 0) return "";
  return (coverage.more_histories ? ", over " : ", ") + counted(coverage.histories, "history", "histories");
}

/// "5 of 10 random tests of 2×2 in shard 1 of 2"
std::string tests_of(const CoverageReport& coverage) {
  const std::string of_all =
      coverage.tests_run < coverage.tests_known ? with_commas(coverage.tests_run) + " of " : std::string();
  return of_all + coverage.tests + (coverage.part.empty() ? "" : " in " + coverage.part);
}

std::string draw_coverage(const Result& result, const Painter& painter) {
  const CoverageReport& coverage = result.coverage;
  const bool ended = result.outcome == Outcome::failed;  // what was covered was covered until then
  const std::string stopped = result.stopped.empty() ? "" : "; " + result.stopped;
  if (!was_run(coverage)) return "nothing was run" + stopped + ".\n";
  if (coverage.strategy == "replay") return "one execution, replayed.\n";
  std::string out;
  if (!coverage.tests.empty()) out = tests_of(coverage) + "; ";
  if (coverage.strategy == "stress") {
    out += fmt::format("{} runs on real threads in {:.2f} s", with_commas(coverage.executions), coverage.seconds);
    out += histories(coverage);
    return out + "; nothing is exhausted" + stopped + ".\n" + warnings(coverage, painter);
  }
  const bool is_check = !coverage.tests.empty(), by_classes = coverage.strategy == "dpor";
  out += counted(coverage.executions, "execution", "executions");
  if (coverage.drawn > 0) out += fmt::format(" ({} drawn)", with_commas(coverage.drawn));
  if (by_classes) {
    const std::string serial =
        coverage.serial_executions > 0 ? fmt::format("{} serial, ", with_commas(coverage.serial_executions)) : "";
    out += fmt::format(" ({}{} complete, {} ended early, as others show the same)", serial,
                       with_commas(coverage.complete), with_commas(coverage.abandoned));
  }
  // Those of a check are also serial ones, and those that make a test small.
  if (!is_check && coverage.executions > 0) {
    const auto steps = std::lround(static_cast<double>(coverage.steps) / static_cast<double>(coverage.executions));
    out += fmt::format(" of {} step{} on average", steps, steps == 1 ? "" : "s");
  }
  out += fmt::format(", {:.2f} s", coverage.seconds);
  if (coverage.cpu_seconds >= 1) out += fmt::format(" ({:.2f} s CPU)", coverage.cpu_seconds);
  if (coverage.classes > 0) out += ", " + counted(coverage.classes, "class", "classes");
  out += histories(coverage);
  // The search of a test ends where it fails, so that of a failing check nothing is covered in the end; nor is what is
  // undecided.
  if (result.findings.empty() || (ended && !is_check)) {
    const std::string left =
        coverage.executions_left > 0
            ? fmt::format("; about {} executions left", about(static_cast<double>(coverage.executions_left)))
            : "";
    out += fmt::format("; covered{}: {}{}", !coverage.exhausted && ended ? " until then" : "", bound_text(coverage),
                       coverage.exhausted || ended ? "" : fmt::format(" (not exhausted{})", left));
  }
  std::string more;
  if (coverage.held_back > 0)
    more += "; spinning threads held back in " + counted(coverage.held_back, "execution", "executions");
  if (coverage.older_values > 0)
    more += "; older values in " + counted(coverage.older_values, "execution", "executions");
  if (coverage.abandoned > 0 && !by_classes)
    more += fmt::format("; {} cut", counted(coverage.abandoned, "fruitless spin", "fruitless spins"));
  if (coverage.loops_cut > 0)
    more +=
        fmt::format("; {} cut", counted(coverage.loops_cut, "fruitless turn of a loop", "fruitless turns of loops"));
  if (coverage.retries_cut > 0)
    more += fmt::format("; {} cut", counted(coverage.retries_cut, "failed attempt", "failed attempts"));
  if (coverage.cut > 0)
    more += fmt::format("; {} cut at the step limit", counted(coverage.cut, "execution", "executions"));
  out += more + stopped + ".\n";
  for (const std::string& note : coverage.notes) out += fmt::format("     {}\n", note);
  out += warnings(coverage, painter);
  if (!coverage.opaque_libraries.empty()) {
    out += painter.faint(fmt::format("     Not watched inside: {}", fmt::join(coverage.opaque_libraries, ", "))) + "\n";
  }
  out += draw_unwatched_calls(coverage.unwatched_calls, painter);
  if (!coverage.allocators.empty()) {
    out += painter.faint(fmt::format("     The program brings its own allocator, whose blocks are not watched: {}",
                                     fmt::join(coverage.allocators, ", "))) +
           "\n";
  }
  out += draw_weak_orders(coverage.weak_orders, painter);
  return out;
}

std::string wrapped_lines(std::string_view text, unsigned width) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += wrapped(text.substr(0, end), width, 5) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

TerminalStyle TerminalStyle::for_file(std::FILE* file, std::string program) {
  TerminalStyle style;
  style.program = std::move(program);
  constexpr unsigned narrowest = 20;
  const int fd = fileno(file);
  if (isatty(fd)) {
    style.terminal = true;
    const char* no_colour = std::getenv("NO_COLOR");
    style.colours = !no_colour || !*no_colour;
    winsize size{};
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > narrowest) style.width = size.ws_col;
  }
  const char* columns = std::getenv("COLUMNS");
  if (const unsigned long asked = columns ? std::strtoul(columns, nullptr, 10) : 0; asked > narrowest && asked < 10'000)
    style.width = static_cast<unsigned>(asked);
  return style;
}

std::string about(double number) {
  if (number >= 1e15) return fmt::format("10^{:.0f}", std::log10(number));
  const double digits = std::floor(std::log10(std::max(number, 1.0)));
  const double unit = std::pow(10, std::max(0.0, digits - 1));
  return with_commas(static_cast<std::uint64_t>(std::round(number / unit) * unit));
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", with_commas(number), number == 1 ? one : several);
}

std::string with_commas(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

std::string draw_finding(const Finding& finding, const TerminalStyle& style) {
  return draw_finding(finding, style, Painter(style.colours));
}

std::string draw_commands(const Finding& finding, const TerminalStyle& style) {
  if (finding.schedule.empty() || finding.saved_as.empty()) return "";
  const std::string id = finding.saved_as.substr(finding.saved_as.rfind('/') + 1);
  const std::string name = finding.saved_as == ".muster/" + id ? id : finding.saved_as;
  std::string out = fmt::format("Saved    {}\n", finding.saved_as);
  const auto command = [&](std::string_view purpose, const std::string& words) {
    out += draw_command(purpose, fmt::format("{} {}", style.program, words), style);
  };
  command("Replay", "--replay " + name);
  out += draw_command("Debug", fmt::format("gdb --args {} --replay {}", style.program, name), style);
  // The test of a check is explored again: its serial runs are part of the picture.
  command("Picture", fmt::format("{} {} --html {}.html", finding.test.empty() ? "--replay" : "--recheck", name, id));
  command("Fixed?", "--recheck " + name);
  return out;
}

std::string draw_end(const Result& result, const TerminalStyle& style) {
  const Painter painter(style.colours);
  std::string end = result.findings.empty()
                        ? fmt::format("{} {}: ", verdict(result.outcome, painter), painter.strong(result.subject))
                        : "     ";
  end += result.summary.empty() ? draw_coverage(result, painter) : result.summary + "\n";
  std::string out = style.terminal || !result.summary.empty() ? wrapped_lines(end, style.width) : end;
  if (!result.resume.empty()) out += draw_command("Resume", result.resume, style);
  return out;
}

std::string draw(const Result& result, const TerminalStyle& style) {
  if (result.source == SubjectKind::log) return draw_log(result, style);
  if (result.source == SubjectKind::trace) return draw_trace(result, style);
  std::string out;
  for (const Finding& finding : result.findings)
    out += draw_finding(finding, style) + draw_commands(finding, style) + "\n";
  return out + draw_end(result, style);
}

}  // namespace muster
