// `muster merge`: one report from those of several shards, or of several programs.

#include "merge/merge.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/merge_parts.hpp"
#include "command/edge.hpp"
#include "division/checkpoint_text.hpp"
#include "merge/read_report.hpp"
#include "report/files.hpp"
#include "report/terminal.hpp"

namespace muster::cli {

Action add_merge(CLI::App& app) {
  app.description("Put the reports of shards together, or the parts of a search that muster split made");
  app.footer(
      "Examples:\n"
      "  muster merge 1.json 2.json 3.json 4.json --html report.html\n"
      "  muster merge nightly.json --junit nightly.xml --quiet\n"
      "  muster merge part-* --rest rest\n\n"
      "Exit code 3 where a shard is missing and nothing failed: a part that nobody has seen is no pass. A report that "
      "cannot "
      "be read loses none of the others: exit code 1 if one of them has a finding, else 2.");
  struct Settings {
    std::vector<std::string> files;
    ReportFiles written;
    bool quiet = false;
    std::string rest;
  };
  const auto settings = std::make_shared<Settings>();
  app.add_option("FILES", settings->files,
                 "Reports written with --json; or parts that muster split wrote, and what running them wrote")
      ->required();
  app.add_option("--rest", settings->rest,
                 "Of parts: write what is left to this file, to be divided again or gone on with");
  add_report_flags(app, settings->written);
  app.add_flag("--quiet,-q", settings->quiet, "Print nothing");
  return [settings] {
    if (std::ranges::any_of(settings->files, is_checkpoint))
      return merge_parts({settings->files, settings->rest, settings->quiet});
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
