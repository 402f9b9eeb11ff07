#include "predict/predict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/predict_result.hpp"
#include "cli/watch.hpp"
#include "report/files.hpp"
#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster::cli {

namespace {

using namespace muster::predict;
using predict::Report;  // not the one that is written to files
using trace::NameClass;

struct Settings {
  std::string file;
  std::string format;
  std::string plan_folder;
  std::string program;
  ReportFiles files;
  std::size_t show = 20;
  bool all = false;
  bool every = false;
  bool whole_threads = false;
};

class Printer {
 public:
  Printer(const trace::TraceReader& names, const Settings& settings, const std::vector<Reexecution>& outcomes)
      : names_(names), settings_(settings), outcomes_(outcomes) {}

  void print(const Report& report) const {
    print_run(report);
    print_predictions(report);
    print_deadlocks(report.deadlocks);
    print_caveats(report);
  }

 private:
  static std::string count(std::uint64_t number, std::string_view what) {
    return fmt::format("{} {}{}", with_commas(number), what, number == 1 ? "" : "s");
  }
  std::string thread(std::uint32_t id) const { return names_.name(NameClass::thread, id); }
  std::string site(std::uint32_t id) const {
    const std::string text = names_.name(NameClass::site, id);
    return text.empty() ? "an unknown place" : text;
  }

  void print_run(const Report& report) const {
    fmt::print("{}: {}, {}, {}, {}, {}\n", settings_.file, count(report.events, "event"),
               count(report.threads, "thread"), count(report.variables, "variable"), count(report.locks, "lock"),
               count(report.transactions, "transaction"));
    if (report.violation_count == 0)
      fmt::print("  the run itself was serializable\n");
    else
      fmt::print("  the run itself was NOT serializable: {}\n", count(report.violation_count, "violation"));
    std::size_t shown = 0;
    for (const Violation& violation : report.violations) {
      if (shown++ == limit()) break;
      fmt::print("    {} transaction {} and {} {} each come before the other; closed at {} ({})\n",
                 thread(violation.thread), violation.transaction, thread(violation.other),
                 transaction(violation.other_transaction), site(violation.site), closing(violation));
    }
    if (!report.races.empty()) fmt::print("  {} between plain accesses\n", count(report.races.size(), "race"));
    shown = 0;
    for (const Race& race : report.races) {
      if (shown++ == limit()) break;
      fmt::print("    {} {} at {} and {} {} at {}, on {}, {}\n", thread(race.first_thread), verb(race.first_writes),
                 site(race.first_site), thread(race.second_thread), verb(race.second_writes), site(race.second_site),
                 names_.describe(NameClass::variable, race.variable), count(race.count, "time"));
    }
  }

  void print_predictions(const Report& report) const {
    if (report.transactions == 0) {
      fmt::print(
          "  no transactions are marked, so no violations are predicted; --whole-threads takes each thread as one\n");
      return;
    }
    fmt::print("  predicted for (thread, thread, variable): {} write-read-write, {} access-write-access\n",
               report.write_read_write, report.access_write_access);
    fmt::print("  {}{}\n", count(report.groups.size(), "different place"),
               report.groups.size() > limit() ? fmt::format("; the worst {} follow, --all shows all", limit()) : "");
    std::size_t number = 0;
    for (const GradedGroup& graded : report.groups) {
      if (number++ == limit()) break;
      print_group(number, graded);
    }
  }

  void print_group(std::size_t number, const GradedGroup& graded) const {
    const PredictionGroup& group = graded.group;
    const Prediction& example = graded.scheduled ? *graded.scheduled : group.examples.front();
    const Reexecution outcome = number <= outcomes_.size() ? outcomes_[number - 1] : Reexecution{};
    static constexpr const char* grades[] = {"certified", "feasible", "unscheduled"};
    fmt::print("{:5} {:<11} {}: {} at {}, {} at {} in between, {} at {}\n", number,
               outcome.word == "confirmed" ? "CONFIRMED" : grades[static_cast<unsigned>(graded.grade)],
               name(group.pattern), verb(writes(group.pattern, 0)), site(group.first_site),
               verb(writes(group.pattern, 1)), site(group.between_site), verb(writes(group.pattern, 2)),
               site(group.last_site));
    fmt::print("                  {}; for example on {}: {} event {}, {} event {}, {} event {}\n",
               count(group.count, "time"), names_.describe(NameClass::variable, example.variable), thread(example.thread),
               example.first.index, thread(example.other), example.between.index, thread(example.thread),
               example.last.index);
    print_outcome(outcome);
  }

  void print_outcome(const Reexecution& outcome) const {
    constexpr const char* margin = "                  ";
    if (outcome.word.empty()) return;
    if (outcome.word != "confirmed") {
      fmt::print("{}re-executed: {}: {}\n", margin, outcome.word, outcome.detail);
      return;
    }
    fmt::print("{}re-executed; replay: {} --replay {}\n", margin, settings_.program, outcome.detail);
    for (const std::string& other : outcome.other) fmt::print("{}it then showed a {}\n", margin, other);
  }

  void print_deadlocks(const Deadlocks& deadlocks) const {
    if (!deadlocks.lock_order_has_cycle) return;
    fmt::print("  the lock order has a cycle; {}{} deadlocks predicted\n", deadlocks.complete ? "" : "at least ",
               deadlocks.predictions.size());
    std::size_t shown = 0;
    for (const DeadlockPrediction& deadlock : deadlocks.predictions) {
      if (shown++ == limit()) break;
      fmt::print("   ");
      for (const Dependency& step : deadlock.cycle)
        fmt::print(" {} waits for {} at {};", thread(step.thread), names_.describe(NameClass::lock, step.lock.lock),
                   site(step.site));
      fmt::print(" {} such\n", deadlock.count);
    }
  }

  void print_caveats(const Report& report) const {
    if (report.rejected > 0)
      fmt::print("  {} candidates were dropped: the run would deadlock before the last access\n", report.rejected);
    if (report.undecided > 0) fmt::print("  {} candidates are undecided and not reported\n", report.undecided);
    if (report.coarsened)
      fmt::print(
          "  locks are released out of order; they count as held until inner ones are gone, so predictions may be "
          "missing\n");
    if (report.thinned) fmt::print("  too many different witnesses to keep all; predictions may be missing\n");
  }

  std::size_t limit() const { return settings_.all ? ~std::size_t{0} : settings_.show; }
  static const char* verb(bool writes) { return writes ? "writes" : "reads"; }
  static std::string transaction(std::uint32_t number) {
    return number == 0 ? "an event outside of transactions" : fmt::format("transaction {}", number);
  }
  std::string closing(const Violation& violation) const {
    if (!has_object(violation.kind)) return "by what another transaction did";
    return names_.name(object_class(violation.kind), violation.object);
  }

  const trace::TraceReader& names_;
  const Settings& settings_;
  const std::vector<Reexecution>& outcomes_;
};

void save_plans(const Report& report, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::size_t number = 0, saved = 0;
  for (const GradedGroup& graded : report.groups) {
    ++number;
    if (!graded.plan) continue;
    std::ofstream file(folder / fmt::format("{}.plan", number));
    file << to_text(*graded.plan);
    if (!file.flush()) fail("{}: cannot be written", folder.string());
    ++saved;
  }
  fmt::print("  {} plan{} saved in {}\n", saved, saved == 1 ? "" : "s", folder.string());
}

template <class Work>
auto watched(Meter& meter, const std::string& file, const Work& work) {
  const Watch watch(meter, [&file](const Meter& seen, double seconds) {
    return fmt::format("{}: {} events, {}; Ctrl-C tells what they show", file, with_commas(seen.done),
                       rate(seen.done, seconds));
  });
  return work();
}

ExitCode run(const Settings& settings) {
  const auto reader = trace::open_trace(settings.file, parse_format(settings.format));
  PredictOptions options;
  options.transactions = settings.whole_threads ? Transactions::whole_threads : Transactions::marked;
  options.plans = settings.all ? ~std::size_t{0} : settings.show;
  options.every = settings.every;
  Meter meter;
  options.meter = &meter;
  const Report report = watched(meter, settings.file, [&] { return predict::predict(*reader, options); });
  if (report.events == 0 && !report.stopped && !meter.stop) complain_of_no_events(*reader, settings.file);
  std::vector<Reexecution> outcomes;
  if (!settings.program.empty()) outcomes = confirm(report, settings.program, reader->about());
  Printer(*reader, settings, outcomes).print(report);
  if (!settings.plan_folder.empty()) save_plans(report, settings.plan_folder);
  if (settings.files.any()) {
    const std::size_t limit = settings.all ? ~std::size_t{0} : settings.show;
    write_files(settings.files,
                muster::Report{"muster predict", {}, 0, {to_result(report, *reader, settings.file, limit)}});
  }
  if (const auto note = reader->note()) fmt::print(stderr, "muster: {}\n", *note);
  if (report.stopped) {
    fmt::print(stderr, "muster: {}\n", *report.stopped);
    fmt::print(stderr, "muster: the report above is about the {} events before\n", with_commas(report.events));
    if (!meter.stop) return ExitCode::bad_input;
  }
  const bool confirmed =
      std::ranges::any_of(outcomes, [](const Reexecution& outcome) { return outcome.word == "confirmed"; });
  const bool found = report.violation_count > 0 || !report.races.empty() || confirmed;
  return found ? ExitCode::finding : meter.stop ? ExitCode::undecided : ExitCode::no_finding;
}

}  // namespace

Action add_predict(CLI::App& app) {
  app.description("Predict atomicity violations that another order of a recorded run would show");
  app.footer(
      "Examples:\n  muster predict bank.std --plans plans\n  muster predict bank.trace --confirm ./bank\n\n"
      "Exit code 1 means that the run itself showed a violation or a race, or that a prediction was confirmed by "
      "re-execution; predictions alone are 0.");
  const auto settings = std::make_shared<Settings>();
  app.add_option("FILE", settings->file, "The trace: Muster's binary form, RAPID STD text or SpeedyGo CSV")->required();
  app.add_option("--format", settings->format, "binary, std or speedygo; guessed from the content otherwise");
  app.add_option("--show", settings->show, "How many places to show and schedule")->capture_default_str();
  app.add_flag("--all", settings->all, "Show and schedule all places");
  app.add_flag("--every", settings->every,
               "Every prediction by itself, not one representative of each three source locations");
  app.add_option("--confirm", settings->program,
                 "Re-execute the schedule of each place shown in this program, the one that was recorded: ./bank");
  app.add_option("--plans", settings->plan_folder, "Save the schedule of each place shown as FOLDER/n.plan");
  app.add_flag("--whole-threads", settings->whole_threads, "Take each thread as one transaction, ignoring marks");
  add_report_flags(app, settings->files);
  return [settings] { return run(*settings); };
}

}  // namespace muster::cli
