#include "report/html.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "finding/json.hpp"
#include "report/html_page.hpp"

namespace muster {
namespace {

constexpr int lines_around = 9;
constexpr std::uintmax_t largest_source = 8 << 20;

std::map<int, std::string> read_lines(const std::string& path, const std::set<int>& wanted) {
  std::map<int, std::string> lines;
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return lines;
  if (std::filesystem::file_size(path, problem) > largest_source) return lines;
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (wanted.contains(number)) lines[number] = line.substr(0, 400);
  }
  return lines;
}

std::string to_json(const SourceLines& sources) {
  std::string out = "{";
  for (const auto& [path, lines] : sources) {
    if (out.size() > 1) out += ',';
    append_json_text(out, path);
    out += ":{";
    bool first = true;
    for (const auto& [number, text] : lines) {
      out += fmt::format("{}\"{}\":", first ? "" : ",", number);
      append_json_text(out, text);
      first = false;
    }
    out += '}';
  }
  return out + "}";
}

void fill_in(std::string& page, std::string_view name, const std::string& value) {
  page.replace(page.find(name), name.size(), value);
}

}  // namespace

SourceLines read_sources(const Report& report) {
  std::map<std::string, std::set<int>> wanted;
  for (const Result& result : report.results) {
    for (const Finding& finding : result.findings) {
      for (const Step& step : finding.steps) {
        if (step.file.empty()) continue;
        for (int line = step.line - lines_around; line <= step.line + lines_around; ++line)
          wanted[step.file].insert(line);
      }
    }
  }
  SourceLines sources;
  for (const auto& [path, lines] : wanted) {
    auto found = read_lines(path, lines);
    if (!found.empty()) sources.emplace(path, std::move(found));
  }
  return sources;
}

std::string to_html(const Report& report, const SourceLines& sources) {
  std::string page(html_page);
  // The sources first: a program's own text may hold the other name.
  fill_in(page, "@sources@", to_json(sources));
  fill_in(page, "@report@", to_json(report, JsonLayout::compact));
  return page;
}

}  // namespace muster
