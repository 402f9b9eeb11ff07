#include "report/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "finding/json.hpp"

namespace muster {
namespace {

std::string json_text(std::string_view text) {
  std::string out;
  append_json_text(out, text);
  return out;
}

std::string joined(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ",")); }

/// RFC 3986: what is neither a letter, a digit, nor one of these stands as its bytes in hexadecimal.
std::string as_uri(const std::string& path, const std::string& folder) {
  const bool below = !folder.empty() && path.starts_with(folder + "/");
  std::string out = below || !path.starts_with('/') ? "" : "file://";
  for (const char c : below ? path.substr(folder.size() + 1) : path) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

class SarifWriter {
 public:
  explicit SarifWriter(std::string folder) : folder_(std::move(folder)) {}

  std::string document(const Report& report) {
    std::vector<std::string> results;
    for (const Result& result : report.results) {
      for (const Finding& finding : result.findings) results.push_back(write(finding));
    }
    std::vector<std::string> rules;
    for (const std::string_view rule : rules_) rules.push_back(fmt::format("{{\"id\":{}}}", json_text(rule)));
    return fmt::format(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\n"
        "\"tool\":{{\"driver\":{{\"name\":\"Muster\",\"rules\":{}}}}},\n\"results\":[{}]}}]}}\n",
        joined(rules), results.empty() ? "" : fmt::format("\n{}\n", fmt::join(results, ",\n")));
  }

 private:
  std::string write(const Finding& finding) {
    rules_.insert(name(finding.kind));
    std::string text = finding.sentence;
    for (const std::string& note : finding.notes) text += "\n" + note;
    const char* level = finding.proven ? "error" : "warning";
    std::string out =
        fmt::format("{{\"ruleId\":{},\"level\":\"{}\",\"message\":{{\"text\":{}}}", json_text(name(finding.kind)),
                    level, json_text(fmt::format("{}: {}", finding.subject, text)));
    if (!finding.file.empty())
      out += fmt::format(",\"locations\":[{}]", location(finding.file, finding.line, ""));
    else if (const Step* step = shown_at(finding))
      out += fmt::format(",\"locations\":[{}]", location(step->file, step->line, ""));
    if (!finding.steps.empty()) out += fmt::format(",\"codeFlows\":[{{\"threadFlows\":{}}}]", joined(flows(finding)));
    std::vector<std::string> more;
    if (finding.grade != FindingGrade::none)
      more.push_back(fmt::format("\"grade\":{}", json_text(name(finding.grade))));
    if (!finding.schedule.empty()) more.push_back(fmt::format("\"schedule\":{}", json_text(finding.schedule)));
    if (!more.empty()) out += fmt::format(",\"properties\":{{{}}}", fmt::join(more, ","));
    return out + "}";
  }

  /// The decisive step, or the last one before it that lies in a file.
  static const Step* shown_at(const Finding& finding) {
    const Step* found = nullptr;
    for (const Step& step : finding.steps) {
      if (!step.file.empty() && step.line > 0) found = &step;
      if (step.decisive && found) break;
    }
    return found;
  }

  std::string location(const std::string& file, int line, const std::string& message) const {
    std::string out = "{";
    if (!file.empty() && line > 0)
      out +=
          fmt::format("\"physicalLocation\":{{\"artifactLocation\":{{\"uri\":{}}},\"region\":{{\"startLine\":{}}}}}{}",
                      json_text(as_uri(file, folder_)), line, message.empty() ? "" : ",");
    if (!message.empty()) out += fmt::format("\"message\":{{\"text\":{}}}", json_text(message));
    return out + "}";
  }

  /// One a thread; `executionOrder` says how they interleave.
  std::vector<std::string> flows(const Finding& finding) const {
    std::vector<std::string> threads;
    for (const Step& step : finding.steps) {
      if (std::find(threads.begin(), threads.end(), step.thread) == threads.end()) threads.push_back(step.thread);
    }
    std::vector<std::string> all;
    for (const std::string& thread : threads) {
      std::vector<std::string> places;
      for (std::size_t i = 0; i < finding.steps.size(); ++i) {
        const Step& step = finding.steps[i];
        if (step.thread != thread) continue;
        const std::string what =
            fmt::format("{} {}{}{}", step.thread, step.action, step.object.empty() ? "" : " ", step.object);
        places.push_back(fmt::format("{{\"executionOrder\":{},\"importance\":\"{}\",\"location\":{}}}", i + 1,
                                     step.decisive ? "essential" : "important", location(step.file, step.line, what)));
      }
      all.push_back(fmt::format("{{\"id\":{},\"locations\":{}}}", json_text(thread), joined(places)));
    }
    return all;
  }

  std::string folder_;
  std::set<std::string_view> rules_;
};

}  // namespace

std::string to_sarif(const Report& report, const std::string& folder) { return SarifWriter(folder).document(report); }

}  // namespace muster
