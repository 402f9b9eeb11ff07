#include "report/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "report/painter.hpp"

namespace muster {
namespace {

std::string draw_beginning(const Result& result) {
  std::string out = fmt::format("{}: {}\n", result.subject, result.summary);
  for (const std::string& conclusion : result.conclusions) out += fmt::format("  {}\n", conclusion);
  return out;
}

/// "NOT LINEARIZABLE" of "not-linearizable", "NOT QUASI-LINEARIZABLE" of "not-quasi-linearizable".
std::string heading(FindingKind kind) {
  std::string words(name(kind));
  if (kind == FindingKind::undecided) return words;
  const std::size_t joined = std::min(words.rfind("-linearizable"), words.size());
  words[words.find('-')] = ' ';
  std::replace(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(joined), '-', ' ');
  std::ranges::transform(words, words.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return words;
}

std::string draw_operation(const TimelineOperation& operation, bool returned) {
  std::string out = operation.line > 0 ? fmt::format("line {:>7}  ", operation.line) : "";
  if (operation.thread != nobody) out += fmt::format("process {:>3}  ", operation.thread);
  out += operation.call;
  if (returned) out += " -> " + (operation.answer.empty() ? "ok" : operation.answer);
  return out;
}

std::string draw_operation(const TimelineOperation& operation) { return draw_operation(operation, !operation.pending); }

/// The few operations that show the failure, in the order of their calls.
std::string draw_core(const Timeline& timeline) {
  std::vector<TimelineOperation> core;
  std::ranges::copy_if(timeline.operations, std::back_inserter(core), &TimelineOperation::core);
  std::ranges::stable_sort(core, {}, &TimelineOperation::begin);
  std::string out;
  for (const TimelineOperation& operation : core) {
    out += fmt::format("        {}{}\n", draw_operation(operation, !operation.pending && !operation.late),
                       operation.blamed ? "   <- has no place"
                       : operation.late ? "   (not returned by then)"
                                        : "");
  }
  return out;
}

std::string draw_log_finding(const Finding& finding, const Result& result, const TerminalStyle& style) {
  const Painter painter(style.colours);
  // Of a key: its name stands behind that of the log.
  const std::string key =
      finding.subject.size() > result.subject.size() ? finding.subject.substr(result.subject.size() + 2) + " " : "";
  const std::string verdict =
      finding.proven ? painter.bad(heading(finding.kind)) : painter.unsure(heading(finding.kind));
  std::string out = fmt::format("  {}{}: {}\n", key, verdict, finding.sentence);
  for (const TimelineOperation& operation : finding.timeline.operations) {
    if (operation.blamed) out += fmt::format("      {}\n", draw_operation(operation));
  }
  const bool has_core = std::ranges::any_of(finding.timeline.operations, &TimelineOperation::core);
  for (const std::string& note : finding.notes) {
    if (!has_core)
      out += fmt::format("      {}\n", note);
    else if (style.explain)
      out += fmt::format("      {}:\n", note);
  }
  return style.explain ? out + draw_core(finding.timeline) : out;
}

/// The order that explains a log, or the synchronisations that do.
std::string draw_explanation(const Timeline& timeline) {
  std::string out;
  const auto add = [&](std::uint32_t number, const char* margin) {
    out += fmt::format("{}{}\n", margin, draw_operation(timeline.operations[number]));
  };
  for (const Attempt& order : timeline.attempts) {
    out += "  an order that explains it:\n";
    for (const std::uint32_t number : order.order) add(number, "    ");
  }
  if (!timeline.join_names.empty()) out += "  synchronisations that explain it:\n";
  for (std::size_t i = 0; i < timeline.join_names.size(); ++i) {
    out += fmt::format("    {}\n", timeline.join_names[i]);
    for (const std::uint32_t number : timeline.joins[i]) add(number, "      ");
  }
  return out;
}

std::string verdict_word(const Finding& finding, const Painter& painter) {
  constexpr std::size_t column = 11;
  std::string word(!finding.proven ? name(finding.grade) : finding.saved_as.empty() ? "happened" : "CONFIRMED");
  word.resize(std::max(column, word.size()), ' ');
  return finding.proven ? painter.bad(word) : painter.unsure(word);
}

std::string draw_prediction(const Finding& finding, std::size_t number, const TerminalStyle& style) {
  constexpr const char* margin = "                  ";
  std::string out =
      fmt::format("{:5} {} {}\n", number, verdict_word(finding, Painter(style.colours)), finding.sentence);
  for (const std::string& note : finding.notes) out += margin + note + "\n";
  if (!finding.saved_as.empty())
    out += fmt::format("{}replay: {} --replay {}\n", margin, style.program, finding.saved_as);
  return out;
}

/// A terminal's lines go on below, a little further in; in a pipe somebody may look for a whole one.
std::string fit(const std::string& text, const TerminalStyle& style) {
  constexpr std::size_t further = 4;
  if (!style.terminal) return text;
  std::string out;
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    const std::string_view line(text.data() + begin, end - begin);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    out += line.substr(0, indent);
    out += wrapped(line.substr(indent), style.width, indent + further, indent) + "\n";
  }
  return out;
}

}  // namespace

std::string draw_log(const Result& result, const TerminalStyle& style) {
  std::string out = draw_beginning(result);
  for (const Finding& finding : result.findings) out += draw_log_finding(finding, result, style);
  if (style.explain) out += draw_explanation(result.timeline);
  for (const std::string& note : result.coverage.notes) out += fmt::format("  {}\n", note);
  return fit(out, style);
}

std::string draw_trace(const Result& result, const TerminalStyle& style) {
  std::string out = draw_beginning(result);
  std::map<FindingKind, std::size_t> numbers;  // of each kind, as those of the files with plans
  for (const Finding& finding : result.findings) out += draw_prediction(finding, ++numbers[finding.kind], style);
  for (const std::string& note : result.coverage.notes) out += fmt::format("  {}\n", note);
  return fit(out, style);
}

}  // namespace muster
