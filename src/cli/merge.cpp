// `muster merge`: one report from those of several shards, or of several programs.

#include "merge/merge.hpp"

#include <fmt/core.h>

#include "cli/command.hpp"
#include "command/edge.hpp"
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
      "Exit code 3 where a shard is missing and nothing failed: a part that nobody has seen is no pass. A report that "
      "cannot "
      "be read loses none of the others: exit code 1 if one of them has a finding, else 2.");
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
    require_writable(settings->written);
    std::vector<Report> parts;
    std::vector<Result> damaged;
    for (const std::string& file : settings->files) {
      const auto wrong = complaint_of("muster", [&] { parts.push_back(read_report(file)); });
      if (wrong) damaged.push_back(mistaken(file, SubjectKind::merge, *wrong));
    }
    Report whole = merge(parts);
    whole.results.insert(whole.results.end(), damaged.begin(), damaged.end());
    write_files(settings->written, whole);
    if (!settings->quiet) {
      const TerminalStyle style = TerminalStyle::for_file(stdout, whole.program);
      for (const Result& result : whole.results) fmt::print("{}", draw(result, style));
    }
    const ExitCode code = exit_code(worst_outcome(whole));
    return damaged.empty() ? code : worse(code, ExitCode::bad_input);
  };
}

}  // namespace muster::cli
