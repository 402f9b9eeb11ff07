#include "report/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/terminal.hpp"

namespace muster {
namespace {

/// XML has no form for most control characters, escaped or not: they become a question mark.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return out;
}

/// A shard that had nothing to do left nothing.
bool was_skipped(const Result& result) { return result.outcome == Outcome::no_finding && result.coverage.exhausted; }

/// Of a case without a finding: it is no failure, and says that it is no pass either.
std::string what_was_left(const Result& result) {
  if (was_skipped(result)) return fmt::format("    <skipped message=\"{}\"/>\n", escaped(result.stopped));
  return "    <properties>\n      <property name=\"exhausted\" value=\"false\"/>\n    </properties>\n";
}

std::string test_case(const Result& result, const std::string& program) {
  const bool failed = result.outcome == Outcome::failed;
  std::string out = fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(program),
                                escaped(result.subject), result.coverage.seconds);
  if (result.outcome == Outcome::passed) return out + "/>\n";
  if (result.outcome == Outcome::no_finding) return out + ">\n" + what_was_left(result) + "  </testcase>\n";
  const std::string sentence = !result.findings.empty()  ? result.findings[0].sentence
                               : !result.summary.empty() ? result.summary
                               : !result.stopped.empty() ? result.stopped
                                                         : "not exhausted";
  const FindingKind kind = result.findings.empty() ? FindingKind::undecided : result.findings[0].kind;
  const std::string element = failed ? "failure" : "error";
  TerminalStyle style;
  style.program = program;
  style.explain = true;
  return out + fmt::format(">\n    <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n  </testcase>\n", element,
                           escaped(name(kind)), escaped(sentence), escaped(draw(result, style)));
}

}  // namespace

std::string to_junit(const Report& report) {
  const auto count = [&](Outcome outcome) {
    return std::count_if(report.results.begin(), report.results.end(),
                         [&](const Result& r) { return r.outcome == outcome; });
  };
  const auto skipped = std::count_if(report.results.begin(), report.results.end(), was_skipped);
  double seconds = 0;
  for (const Result& result : report.results) seconds += result.coverage.seconds;
  const std::string figures = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"{} time=\"{:.3f}\"",
                                          report.results.size(), count(Outcome::failed), count(Outcome::undecided),
                                          skipped > 0 ? fmt::format(" skipped=\"{}\"", skipped) : "", seconds);
  std::string out =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n <testsuite name=\"{}\" {}>\n", figures,
                  escaped(report.program), figures);
  for (const Result& result : report.results) out += test_case(result, report.program);
  return out + " </testsuite>\n</testsuites>\n";
}

}  // namespace muster
