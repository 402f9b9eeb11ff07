#include <fmt/core.h>
#include <string.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/process.hpp"

namespace muster::cli {

namespace {

struct RecordSettings {
  std::string output, atomic;
  bool serial = false;
  std::vector<std::string> command;
};

std::uint64_t count_events(const std::string& file) {
  const auto reader = trace::open_trace(file);
  std::uint64_t events = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) events += batch.size();
  return events;
}

ExitCode run(const RecordSettings& settings) {
  const std::string file = settings.output.empty()
                               ? std::filesystem::path(settings.command[0]).filename().string() + ".trace"
                               : settings.output;
  std::filesystem::remove(file);
  const ProcessEnd end = run_process(
      settings.command,
      {{"MUSTER_RECORD", file}, {"MUSTER_ATOMIC", settings.atomic}, {"MUSTER_SERIAL", settings.serial ? "1" : "0"}});
  if (!std::filesystem::exists(file))
    fail(
        "{} recorded nothing: build it with muster_add_program or muster_add_check, or with the flags of "
        "docs/how-to/record.md",
        settings.command[0]);
  if (end.signal != 0)
    fmt::print(stderr, "muster: {} was ended by a signal ({}); what it recorded until then is kept\n",
               settings.command[0], strsignal(end.signal));
  fmt::print(stderr, "muster: {}: {} events; next: muster predict {}\n", file, count_events(file), file);
  return static_cast<ExitCode>(end.code);
}

}  // namespace

Action add_record(CLI::App& app) {
  app.description("Run an instrumented program on real threads and record what they do");
  app.footer(
      "Example:\n  muster record --atomic 'Account::' -o bank.trace -- ./bank 4\n\n"
      "The exit code is that of the program; 2 if it cannot be started or recorded nothing.");
  const auto settings = std::make_shared<RecordSettings>();
  app.add_option("-o,--output", settings->output, "The trace to write (default: the program's name with .trace)");
  app.add_option("--atomic", settings->atomic,
                 "Functions whose names match this regular expression are transactions: 'transfer|audit'");
  app.add_flag("--serial", settings->serial,
               "Not on real threads but one thread at a time, under control: the same trace every time");
  app.add_option("COMMAND", settings->command, "After --: the program and its arguments")->required();
  return [settings] { return run(*settings); };
}

}  // namespace muster::cli
