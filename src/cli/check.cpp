// `muster check`: judges recorded histories.

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>

#include "cli/check_file.hpp"
#include "cli/check_options.hpp"
#include "cli/check_synchronisation.hpp"
#include "cli/command.hpp"
#include "command/duration.hpp"
#include "command/edge.hpp"
#include "command/suggest.hpp"
#include "report/terminal.hpp"
#include "spec/plugin.hpp"
#include "spec/synchronisation_objects.hpp"

namespace muster::cli {
namespace {

/// Long histories are vectors of many megabytes that come and go. By default each is mapped afresh, and the kernel
/// clears its pages again: a third of the time of ten million operations.
void reuse_memory() {
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

/// What is judged by synchronisations is judged for those alone.
void require_no_other_judge(const CheckOptions& options) {
  const std::pair<std::string_view, bool> others[] = {{"--property", options.property != "linearizable"},
                                                      {"--quasi", !options.quasi.empty()},
                                                      {"--skew", !options.skew.empty()},
                                                      {"--model", !options.model.empty()},
                                                      {"--write-core", !options.write_core.empty()}};
  for (const auto& [flag, is_given] : others) {
    if (is_given) fail("{} is not for objects whose operations meet, such as {}", flag, options.spec);
  }
}

/// What is wrong with the options is said once, before any file is read.
void require_sense(const CheckOptions& options) {
  options.read_options();
  options.judge_options();
  const SpecOptions spec_options = options.spec_options();
  if (!options.skew.empty()) parse_duration(options.skew, "--skew");
  if (!options.write_core.empty() && options.property != "linearizable")
    fail("--write-core is for --property linearizable, not {}", options.property);
  if (!options.quasi.empty() && options.property != "linearizable")
    fail("--quasi relaxes linearizability; it does not go with --property {}", options.property);
  if (!options.quasi.empty() && !options.write_core.empty())
    fail("--write-core is for what is not linearizable, not for --quasi");
  if (is_synchronisation(options)) {
    require_no_other_judge(options);
    find_synchronisation_spec(options.spec, options.participants);
  } else if (!options.spec.empty() && !find_spec(options.spec, spec_options)) {
    std::vector<std::string_view> known = spec_names();
    std::ranges::copy(synchronisation_spec_names(), std::back_inserter(known));
    fail("--spec takes {}, not '{}'{}", list_of_specs(), options.spec, did_you_mean(options.spec, known));
  }
}

/// One file that cannot be judged keeps no other from being judged.
ExitCode check_or_complain(const std::string& path, CheckRun& all) {
  const bool meets = is_synchronisation(all.options);
  ExitCode code = ExitCode::bad_input;
  const auto wrong = complaint_of("muster", [&] {
    Result result = meets ? check_synchronisation(all.options, path) : check_file(path, all);
    TerminalStyle style = TerminalStyle::for_file(stdout, "muster check");
    style.explain = all.options.explain;
    fmt::print("{}", draw(result, style));
    code = exit_code(result.outcome);
    if (all.options.report_files.any()) all.report.results.push_back(std::move(result));
  });
  if (wrong) all.report.results.push_back(mistaken(path, SubjectKind::log, *wrong));
  return code;
}

void write_core(const std::string& path, const std::string& core) {
  std::ofstream file(path, std::ios::binary);
  file << core;
  if (!file.flush()) fail("{}: cannot be written", path);
  fmt::print("operations that fail by themselves are written to {}\n", path);
}

ExitCode write_all(const CheckRun& all) {
  const auto wrong = complaint_of("muster", [&] {
    if (!all.core.empty()) write_core(all.options.write_core, all.core);
    write_files(all.options.report_files, all.report);
  });
  return wrong ? ExitCode::bad_input : ExitCode::no_finding;
}

/// What time is left is shared by all files that are left: one hard file keeps no other from being judged.
void share_time(CheckOptions& options, std::chrono::steady_clock::time_point end, std::size_t left) {
  const auto now = std::chrono::steady_clock::now();
  if (!options.time.empty()) options.until = now + std::max(end - now, {}) / static_cast<std::int64_t>(left);
}

/// After a file that took too much: what it took is given back, for those that come.
void give_memory_back(Meter& meter) {
  if (!meter.out_of_memory.exchange(false)) return;
  ::malloc_trim(0);
}

ExitCode run(CheckOptions options, Meter& meter) {
  const auto start = std::chrono::steady_clock::now();
  require_sense(options);
  const auto end = start + options.judge_options().time;
  meter.most_memory = options.judge_options().memory;
  require_writable(options.report_files);
  require_writable(options.write_core);
  CheckRun all{.options = options, .model = {}, .report = {}, .factors = {}, .core = {}};
  all.report.program = "muster check";
  if (!options.model.empty()) all.model = load_model(options.model);
  ExitCode code = ExitCode::no_finding;
  std::size_t judged = 0;
  for (const std::string& path : options.files) {
    if (meter.stop) break;
    share_time(options, end, options.files.size() - judged);
    ++judged;
    give_memory_back(meter);
    code = worse(code, check_or_complain(path, all));
  }
  if (!options.quasi.empty() && options.files.size() > 1)
    fmt::print("smallest factors of {} histories: {}\n", options.files.size(), all.factors.to_text());
  code = worse(code, write_all(all));
  if (!meter.stop) return code;
  const std::size_t left = options.files.size() - judged;
  fmt::print(stderr, "muster: stopped in {}{}\n", options.files[judged - 1],
             left ? fmt::format("; {} not looked at, from {} on", counted(left, "file was", "files were"),
                                options.files[judged])
                  : "");
  return worse(code, ExitCode::undecided);
}

}  // namespace

Action add_check(CLI::App& app) {
  app.description("Judge recorded histories");
  app.footer(
      "Exit codes: 0 every history passes, 1 one does not, 2 bad input, 3 undecided within the limits. "
      "All files are judged, whatever is wrong with one of them; of several codes, 1 goes before 2, and 2 before 3.\n"
      "Examples:\n"
      "  muster check queue.jsonl\n"
      "  muster check --spec cas-register --explain etcd.log\n"
      "  muster check --spec kv --skew 5ms store.edn.gz\n"
      "  muster check --spec queue --quasi dequeue=2 relaxed.log\n"
      "  muster check --spec barrier --participants 4 --stuck run.jsonl\n"
      "  muster check --html report.html queue.jsonl");
  auto options = std::make_shared<CheckOptions>();
  options->add_to(app);
  return [options] {
    reuse_memory();
    Meter meter;
    options->meter = &meter;
    return run(*options, meter);
  };
}

}  // namespace muster::cli
