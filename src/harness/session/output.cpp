#include "harness/session/output.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <utility>

#include "harness/saved/saved.hpp"

namespace muster {
namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

bool can_be_replayed(const Finding& finding) {
  return !finding.schedule.empty() && finding.kind != FindingKind::not_reproducible;
}

}  // namespace

void require_exhausted(Result& result, const HarnessOptions& options) {
  if (!options.require_exhausted || result.coverage.exhausted) return;
  if (result.outcome == Outcome::no_finding || result.outcome == Outcome::passed) result.outcome = Outcome::undecided;
}

Output::Output(const HarnessOptions& options)
    : options_(options), style_(TerminalStyle::for_file(stdout, options.program)) {
  report_.program = options.program;
  if (options.shard.whole()) return;
  report_.shards = {options.shard.number};
  report_.shard_count = options.shard.count;
}

void Output::require_files() const {
  require_writable(options_.files);
  for (const std::string* path : {&options_.checkpoint, &options_.summary, &options_.histories, &options_.observations})
    require_writable(*path);
}

ExitCode Output::tell(const Result& result) {
  return tell(result, [](Finding&) {});
}

ExitCode Output::tell_and_save(Result result) {
  return tell(std::move(result), [this](Finding& finding) {
    if (!can_be_replayed(finding) || !finding.saved_as.empty()) return;
    try {
      finding.saved_as = save(finding, options_);
    } catch (const Error& error) {
      fmt::print(stderr, "{}: warning: the finding is not saved: {}\n", options_.program, error.what());
    }
  });
}

ExitCode Output::tell(Result result, const std::function<void(Finding&)>& save) {
  for (Finding& finding : result.findings) {
    print(draw_finding(finding, style_));
    save(finding);
    print(draw_commands(finding, style_) + "\n");
  }
  if (!options_.quiet || !result.findings.empty()) print(draw_end(result, style_));
  const ExitCode code = exit_code(result.outcome);
  report_.results.push_back(std::move(result));
  return code;
}

ExitCode Output::complain(const std::string& subject, SubjectKind source, const Error& error) {
  fmt::print(stderr, "{}: {}\n", options_.program, error.what());
  report_.results.push_back(mistaken(subject, source, error.what()));
  return ExitCode::bad_input;
}

ExitCode Output::write() {
  try {
    write_files(options_.files, report_);
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", options_.program, error.what());
    return ExitCode::bad_input;
  }
  return ExitCode::no_finding;
}

}  // namespace muster
