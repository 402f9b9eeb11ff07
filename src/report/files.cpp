#include "report/files.hpp"

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "finding/json.hpp"
#include "report/html.hpp"
#include "report/junit.hpp"
#include "report/sarif.hpp"

namespace muster {
namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) fail("{}: cannot be written", path);
}

}  // namespace

void write_files(const ReportFiles& files, const Report& report) {
  std::error_code problem;
  if (!files.html.empty()) write(files.html, to_html(report, read_sources(report)));
  if (!files.json.empty()) write(files.json, to_json(report));
  if (!files.junit.empty()) write(files.junit, to_junit(report));
  if (!files.sarif.empty()) write(files.sarif, to_sarif(report, std::filesystem::current_path(problem)));
}

}  // namespace muster
