#include <fmt/core.h>

#include <array>

#include "cli/command.hpp"
#include "trace/trace_writer.hpp"
#include "trace/validator.hpp"

namespace muster::cli {

using namespace muster::trace;

std::optional<trace::Format> parse_format(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "binary") return trace::Format::binary;
  if (name == "std") return trace::Format::std_text;
  if (name == "speedygo") return trace::Format::speedygo;
  fail("unknown format `{}`; known are binary, std and speedygo", name);
}

namespace {

struct TraceSettings {
  std::string file, format, output, output_format = "binary";
  std::size_t show = 20;
};

void say_note(const TraceReader& reader) {
  if (const auto note = reader.note()) fmt::print(stderr, "muster: {}\n", *note);
}

}  // namespace

void complain_of_no_events(const TraceReader& reader, const std::string& file) {
  say_note(reader);
  fail("{}: holds no events", file);
}

namespace {

ExitCode convert(const TraceSettings& settings) {
  const auto reader = open_trace(settings.file, parse_format(settings.format));
  const auto format = parse_format(settings.output_format);
  if (format == trace::Format::speedygo) fail("traces are written as binary or std, not as speedygo");
  const auto writer =
      format == trace::Format::std_text ? create_std_trace(settings.output) : create_binary_trace(settings.output);
  // What stands before a bad place is whole, so it is kept.
  try {
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) writer->write(batch, *reader);
  } catch (const Error&) {
    writer->finish();
    throw;
  }
  writer->finish();
  say_note(*reader);
  return ExitCode::no_finding;
}

ExitCode count(const TraceSettings& settings) {
  const auto reader = open_trace(settings.file, parse_format(settings.format));
  std::array<std::uint64_t, kind_count> kinds{};
  std::uint64_t total = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    total += batch.size();
    for (const trace::Event& event : batch) ++kinds[static_cast<unsigned>(event.kind)];
  }
  fmt::print("{}: {} events\n", settings.file, total);
  fmt::print("  threads {}  variables {}  locks {}  order objects {}  locations {}\n", reader->count(NameClass::thread),
             reader->count(NameClass::variable), reader->count(NameClass::lock), reader->count(NameClass::order),
             reader->count(NameClass::site));
  for (unsigned kind = 0; kind < kind_count; ++kind)
    if (kinds[kind] > 0) fmt::print("  {:<7} {}\n", kind_names[kind], kinds[kind]);
  say_note(*reader);
  return ExitCode::no_finding;
}

ExitCode validate(const TraceSettings& settings) {
  const auto reader = open_trace(settings.file, parse_format(settings.format));
  Validator validator(*reader);
  std::uint64_t total = 0, impossible = 0;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    total += batch.size();
    for (const trace::Event& event : batch) {
      const auto problem = validator.check(event);
      if (problem && ++impossible <= settings.show) fmt::print(stderr, "muster: {}\n", *problem);
    }
  }
  if (total == 0) complain_of_no_events(*reader, settings.file);
  if (impossible > settings.show) fmt::print(stderr, "muster: {} more\n", impossible - settings.show);
  fmt::print("{}: {} events, {} impossible\n", settings.file, total, impossible);
  if (validator.open_transactions() > 0)
    fmt::print("  {} transactions are never ended\n", validator.open_transactions());
  if (validator.held_locks() > 0) fmt::print("  {} locks are never released\n", validator.held_locks());
  say_note(*reader);
  return impossible > 0 ? ExitCode::bad_input : ExitCode::no_finding;
}

}  // namespace

Action add_trace(CLI::App& app) {
  app.description("Convert, count or validate a trace");
  app.footer(
      "Examples:\n  muster trace convert bank.std bank.trace\n  muster trace count bank.trace\n  muster trace validate "
      "bank.std");
  app.require_subcommand(1);
  const auto settings = std::make_shared<TraceSettings>();
  const auto chosen = std::make_shared<ExitCode (*)(const TraceSettings&)>(nullptr);
  const auto add = [&](const char* name, const char* description, const char* example,
                       ExitCode (*action)(const TraceSettings&)) {
    CLI::App* sub = app.add_subcommand(name, description);
    sub->footer(fmt::format("Example:\n  muster trace {} {}", name, example));
    sub->add_option("FILE", settings->file, "The trace")->required();
    sub->add_option("--format", settings->format, "binary, std or speedygo; guessed from the content otherwise");
    sub->callback([chosen, action] { *chosen = action; });
    return sub;
  };
  CLI::App* convert_command = add("convert", "Write the trace in another format", "bank.std bank.trace", convert);
  convert_command->add_option("OUTPUT", settings->output, "The file to write")->required();
  convert_command->add_option("--to", settings->output_format, "binary or std")->capture_default_str();
  add("count", "Count events by kind, threads, variables, locks", "bank.trace", count);
  add("validate", "Check lock semantics, lives of threads, nesting of transactions", "bank.std", validate)
      ->add_option("--show", settings->show, "How many problems to show")
      ->capture_default_str();
  return [settings, chosen] { return (*chosen)(*settings); };
}

}  // namespace muster::cli
