// `muster merge`: one report from those of several shards, or of several programs.

#include "merge/merge.hpp"

#include <fmt/core.h>

#include "cli/command.hpp"
#include "merge/read_report.hpp"
#include "report/files.hpp"
#include "report/terminal.hpp"

namespace muster::cli {

Action add_merge(CLI::App& app) {
  app.description("Put the reports of shards together, and draw them in any form");
  app.footer(
      "Examples:\n"
      "  muster merge 1.json 2.json 3.json 4.json --html report.html\n"
      "  muster merge nightly.json --junit nightly.xml --quiet\n\n"
      "Exit code 3 where a shard is missing and nothing failed: a part that nobody has seen is no pass.");
  struct Settings {
    std::vector<std::string> files;
    ReportFiles written;
    bool quiet = false;
  };
  const auto settings = std::make_shared<Settings>();
  app.add_option("FILES", settings->files, "Reports written with --json")->required();
  add_report_flags(app, settings->written);
  app.add_flag("--quiet,-q", settings->quiet, "Print nothing");
  return [settings] {
    std::vector<Report> parts;
    for (const std::string& file : settings->files) parts.push_back(read_report(file));
    const Report whole = merge(parts);
    write_files(settings->written, whole);
    if (!settings->quiet) {
      const TerminalStyle style = TerminalStyle::for_file(stdout, whole.program);
      for (const Result& result : whole.results) fmt::print("{}", draw(result, style));
    }
    return exit_code(worst_outcome(whole));
  };
}

}  // namespace muster::cli
