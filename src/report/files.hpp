#pragma once
// The report as files: which ones were asked for, and writing them.

#include <string>

#include "finding/finding.hpp"

namespace muster {

struct ReportFiles {
  std::string html, json, junit, sarif;

  bool any() const { return !html.empty() || !json.empty() || !junit.empty() || !sarif.empty(); }
};

/// The same flags for every program; `App` is a CLI::App.
template <class App>
void add_report_flags(App& app, ReportFiles& files) {
  app.add_option("--html", files.html, "Write the report as one self-contained page: --html report.html");
  app.add_option("--json", files.json,
                 "Write the report as JSON (docs/reference/report.schema.json); `muster merge` reads it");
  app.add_option("--junit", files.junit, "Write the report as JUnit XML, for CI servers");
  app.add_option("--sarif", files.sarif, "Write the findings as SARIF 2.1.0, for code scanning and editors");
}

/// Throws Error unless a file can be written there: better before a search than after it. Leaves what is there as it
/// is, and nothing where there was nothing.
void require_writable(const std::string& path);
void require_writable(const ReportFiles& files);

/// Throws Error where one cannot be written.
void write_files(const ReportFiles& files, const Report& report);

}  // namespace muster
