#include "report/files.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
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

void require_writable(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  const bool is_new = status.type() == fs::file_type::not_found;
  // A pipe takes what is written to it once.
  if (!is_new && !fs::is_regular_file(status) && !fs::is_directory(status)) return;
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) fail("{}: cannot be written: {}", path, std::strerror(errno));
  close(fd);
  if (is_new) fs::remove(path, problem);
}

void require_writable(const ReportFiles& files) {
  for (const std::string* path : {&files.html, &files.json, &files.junit, &files.sarif}) require_writable(*path);
}

void write_files(const ReportFiles& files, const Report& report) {
  std::error_code problem;
  if (!files.html.empty()) write(files.html, to_html(report, read_sources(report)));
  if (!files.json.empty()) write(files.json, to_json(report));
  if (!files.junit.empty()) write(files.junit, to_junit(report));
  if (!files.sarif.empty()) write(files.sarif, to_sarif(report, std::filesystem::current_path(problem)));
}

}  // namespace muster
