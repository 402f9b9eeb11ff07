#include "predict/predict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "cli/confirm.hpp"
#include "cli/predict_result.hpp"
#include "cli/watch.hpp"
#include "command/edge.hpp"
#include "report/files.hpp"
#include "report/progress_line.hpp"
#include "report/terminal.hpp"

namespace muster::cli {

namespace {

namespace fs = std::filesystem;
using namespace muster::predict;
using predict::Report;  // not the one that is written to files

struct Settings {
  std::vector<std::string> traces;
  std::string format;
  std::string plan_folder;
  std::string program;
  ReportFiles files;
  std::size_t show = 20;
  bool all = false;
  bool every = false;
  bool whole_threads = false;

  std::size_t limit() const { return all ? ~std::size_t{0} : show; }
};

template <class Work>
auto watched(Meter& meter, const std::string& file, const Work& work) {
  const Watch watch(meter, [&file](const Meter& seen, double seconds) {
    return fmt::format("{}: {} events, {}; Ctrl-C tells what they show", file, with_commas(seen.done),
                       rate(seen.done, seconds));
  });
  return work();
}

template <class List>
std::size_t save_plans(const List& predictions, const std::string& kind, const fs::path& folder) {
  std::size_t number = 0, saved = 0;
  for (const auto& prediction : predictions) {
    ++number;
    if (!prediction.plan) continue;
    std::ofstream file(folder / fmt::format("{}{}.plan", kind, number));
    file << to_text(*prediction.plan);
    if (!file.flush()) fail("{}: cannot be written", folder.string());
    ++saved;
  }
  return saved;
}

/// All traces are looked at, whatever is wrong with one of them.
class Predicting {
 public:
  explicit Predicting(const Settings& settings) : settings_(settings) {}

  ExitCode run() {
    for (const std::string& file : settings_.traces) {
      trying([&] { look_at(file); });
      if (stopped_) break;
    }
    if (settings_.files.any()) trying([&] { write_files(settings_.files, {"muster predict", {}, 0, results_}); });
    if (found_) return ExitCode::finding;
    return bad_ ? ExitCode::bad_input : stopped_ ? ExitCode::undecided : ExitCode::no_finding;
  }

 private:
  template <class Work>
  void trying(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      complain(error.what());
    }
  }
  void complain(const std::string& problem) {
    std::fflush(stdout);
    fmt::print(stderr, "muster: {}\n", printable(problem));
    bad_ = true;
  }

  void look_at(const std::string& file) {
    const auto reader = trace::open_trace(file, parse_format(settings_.format));
    PredictOptions options;
    options.transactions = settings_.whole_threads ? Transactions::whole_threads : Transactions::marked;
    options.plans = settings_.limit();
    options.every = settings_.every;
    Meter meter;
    options.meter = &meter;
    const Report report = watched(meter, file, [&] { return predict::predict(*reader, options); });
    stopped_ |= meter.stop;
    if (report.events == 0 && !report.stopped && !meter.stop) complain_of_no_events(*reader, file);
    // Of a file that is no trace there is nothing to say.
    if (report.events == 0 && report.stopped) return complain(*report.stopped);
    tell(report, *reader, file);
    if (report.stopped) tell_where_it_stopped(report, meter.stop);
  }

  void tell(const Report& report, const trace::TraceReader& reader, const std::string& file) {
    Reexecutions outcomes;
    if (!settings_.program.empty()) trying([&] { outcomes = confirm(report, settings_.program, reader.about()); });
    found_ |= report.violation_count > 0 || !report.races.empty() || outcomes.show_anything();
    Result result = to_result(report, reader, file, settings_.limit(), outcomes);
    fmt::print("{}", draw(result, TerminalStyle::for_file(stdout, settings_.program)));
    if (!settings_.plan_folder.empty()) trying([&] { save_all_plans(report, file); });
    if (settings_.files.any()) results_.push_back(std::move(result));
    if (const auto note = reader.note()) fmt::print(stderr, "muster: {}\n", *note);
  }

  /// The plans of several traces each have a folder of their own, by number.
  void save_all_plans(const Report& report, const std::string& file) const {
    fs::path folder = settings_.plan_folder;
    const auto position = std::ranges::find(settings_.traces, file) - settings_.traces.begin();
    if (settings_.traces.size() > 1) folder /= std::to_string(position + 1);
    fs::create_directories(folder);
    const std::size_t saved =
        save_plans(report.groups, "", folder) + save_plans(report.deadlocks.predictions, "deadlock-", folder);
    fmt::print("  {} plan{} saved in {}\n", saved, saved == 1 ? "" : "s", folder.string());
  }

  void tell_where_it_stopped(const Report& report, bool asked_for) {
    std::fflush(stdout);
    fmt::print(stderr, "muster: {}\n", printable(*report.stopped));
    fmt::print(stderr, "muster: the report above is about the {} events before\n", with_commas(report.events));
    bad_ |= !asked_for;
  }

  const Settings& settings_;
  std::vector<Result> results_;
  bool found_ = false, bad_ = false, stopped_ = false;
};

}  // namespace

Action add_predict(CLI::App& app) {
  app.description("Predict atomicity violations and deadlocks that another order of a recorded run would show");
  app.footer(
      "Examples:\n  muster predict bank.std --plans plans\n  muster predict bank.trace --confirm ./bank\n\n"
      "Exit code 1 means that a run itself showed a violation or a race, or that something went wrong when a "
      "prediction was re-executed; predictions alone are 0. It is 2 if nothing was found and a trace could not be read "
      "to its end.");
  const auto settings = std::make_shared<Settings>();
  app.add_option("FILES", settings->traces, "The traces: Muster's binary form, RAPID STD text or SpeedyGo CSV")
      ->required();
  app.add_option("--format", settings->format, "binary, std or speedygo; guessed from the content otherwise");
  app.add_option("--show", settings->show, "How many places to show and schedule")->capture_default_str();
  app.add_flag("--all", settings->all, "Show and schedule all places");
  app.add_flag("--every", settings->every,
               "Every prediction by itself, not one representative of each three source locations");
  app.add_option("--confirm", settings->program,
                 "Re-execute the schedule of each place shown in this program, the one that was recorded: ./bank");
  app.add_option("--plans", settings->plan_folder,
                 "Save the schedule of each place shown as FOLDER/n.plan, of each deadlock as FOLDER/deadlock-n.plan");
  app.add_flag("--whole-threads", settings->whole_threads, "Take each thread as one transaction, ignoring marks");
  add_report_flags(app, settings->files);
  return [settings] { return Predicting(*settings).run(); };
}

}  // namespace muster::cli
