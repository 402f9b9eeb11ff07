#include "cli/check_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_result.hpp"
#include "cli/read_log.hpp"
#include "cli/watch.hpp"
#include "judge/explain.hpp"
#include "judge/linearizability.hpp"
#include "judge/soar.hpp"
#include "report/terminal.hpp"

namespace muster::cli {
namespace {

std::string duration(std::int64_t nanoseconds) {
  if (nanoseconds < 1'000) return fmt::format("{} ns", nanoseconds);
  if (nanoseconds < 1'000'000) return fmt::format("{:.4g} us", static_cast<double>(nanoseconds) / 1e3);
  if (nanoseconds < 1'000'000'000) return fmt::format("{:.4g} ms", static_cast<double>(nanoseconds) / 1e6);
  return fmt::format("{:.4g} s", static_cast<double>(nanoseconds) / 1e9);
}

/// What one file is judged by, and what is printed about it.
class FileCheck {
 public:
  FileCheck(const std::string& path, CheckRun& all)
      : options_(all.options),
        all_(all),
        path_(path),
        judging_(options_.judge_options()),
        history_(watched("is read", [&] { return read_log(path, options_); })),
        spec_(all.model) {
    if (spec_) {
      arrange(history_, *spec_);
    } else {
      spec_ = spec_for(history_, options_.spec, options_.spec_options());
    }
    if (!options_.skew.empty()) {
      require_times();
      exact_ = history_;
      history_ = with_skew(history_, parse_duration(options_.skew, "--skew"));
    }
  }

  ExitCode run() {
    if (!options_.quasi.empty()) {
      print_source();
      return check_quasi(history_, spec_, options_, all_.factors, all_.report);
    }
    KeySummary summary = watched("is judged", [&] { return judge(); });
    print_source();
    if (options_.report_files.any())
      all_.report.results.push_back(to_result({history_, *spec_, adjective(), summary, judging_, options_.all}));
    print_headline(summary);
    if (summary.passing == summary.keys) {
      if (options_.explain) print_witness(summary.witness);
      report_skew(false);
      return ExitCode::no_finding;
    }
    const bool failed = std::ranges::any_of(summary.others, fails, &KeyVerdict::verdict);
    bool first = true;
    for (const KeyVerdict& key : summary.others) {
      if (const auto* failing = std::get_if<Counterexample>(&key.verdict)) {
        if (first || options_.all) print_failure(key, *failing);
        first = false;
      } else {
        print_undecided(key, std::get<Undecided>(key.verdict));
      }
    }
    if (failed) report_skew(true);
    return failed ? ExitCode::finding : ExitCode::undecided;
  }

 private:
  /// Does what may take long.
  template <class Work>
  std::invoke_result_t<const Work&> watched(std::string_view what, const Work& work) {
    options_.meter->begin(0);
    const Watch watch(*options_.meter, [this, what](const Meter& meter, double seconds) {
      std::string text = fmt::format("{} {}: {:.0f} s", path_, what, seconds);
      if (meter.whole > 0) text += fmt::format(", {} of {} keys", with_commas(meter.done), with_commas(meter.whole));
      if (meter.steps > 0) text += fmt::format(", {} steps of search", with_commas(meter.steps));
      return text + "; Ctrl-C stops";
    });
    return work();
  }

  void require_times() const {
    const HistorySource& source = history_.source();
    if (history_.has_times()) return;
    if (source.untimed == 0) fail("{}: --skew needs recorded times, and this history has none", source.name);
    fail("{}:{}: --skew needs the times of all calls and returns, and this operation lacks one", source.name,
         source.untimed);
  }

  KeySummary judge() {
    const std::string& property = options_.property;
    if (property == "linearizable") {
      KeySummary summary = judge_keys(history_, *spec_, judging_);
      if (!options_.explain || summary.passing < summary.keys) return summary;
      // Monitors say why something fails, but not which order explains the rest: that costs a search, which may hit a
      // limit.
      JudgeOptions options = judging_;
      options.explain = true;
      KeySummary ordered = judge_keys(history_, *spec_, options);
      return ordered.passing == ordered.keys ? ordered : summary;
    }
    Verdict verdict = property == "sequential" ? judge_sequential_consistency(history_, *spec_, judging_)
                      : property == "quiescent"
                          ? judge_quiescent_consistency(history_, *spec_, judging_)
                          : judge_register(register_history(history_, *spec_, exact_ ? &*exact_ : nullptr),
                                           property == "atomic"    ? RegisterProperty::atomic
                                           : property == "regular" ? RegisterProperty::regular
                                                                   : RegisterProperty::safe);
    KeySummary summary;
    summary.keys = 1;
    if (const auto* witness = std::get_if<Witness>(&verdict)) {
      summary.passing = 1;
      summary.witness = *witness;
    } else {
      summary.others.push_back({Value(), history_.size(), std::move(verdict)});
    }
    return summary;
  }

  std::string_view adjective() const {
    const std::string& property = options_.property;
    if (property == "sequential") return "sequentially consistent";
    if (property == "quiescent") return "quiescently consistent";
    return property;
  }

  void print_source() const {
    const HistorySource& source = history_.source();
    std::string line = fmt::format("{}: {}", source.name, counted(history_.size(), "operation", "operations"));
    if (source.format != "intervals")
      line += fmt::format(", {}", counted(history_.process_count(), "process", "processes"));
    if (history_.pending() > 0) line += fmt::format(", {} pending", with_commas(history_.pending()));
    if (source.unknown > 0) line += fmt::format(", {} of unknown outcome", with_commas(source.unknown));
    if (source.ignored > 0)
      line += fmt::format("; {} ignored", counted(source.ignored, "other entry", "other entries"));
    fmt::print("{}\n", line);
  }

  void print_headline(const KeySummary& summary) const {
    const std::size_t failing =
        static_cast<std::size_t>(std::ranges::count_if(summary.others, fails, &KeyVerdict::verdict));
    const std::size_t undecided = summary.others.size() - failing;
    if (summary.keys > 1) {
      fmt::print("  {} of {}: {} {}{}{}\n", counted(summary.keys, "key", "keys"), spec_->name(),
                 with_commas(summary.passing), adjective(),
                 failing ? fmt::format(", {} NOT", with_commas(summary.keys - summary.passing - undecided)) : "",
                 undecided ? fmt::format(", {} undecided", with_commas(undecided)) : "");
    } else if (summary.passing == summary.keys) {
      fmt::print("  {}: {}\n", spec_->name(), adjective());
    }
  }

  std::string where(OperationId id) const {
    const Operation& operation = history_[id];
    const Value process = history_.process_name(operation.process);
    std::string out = operation.line > 0 ? fmt::format("line {:>7}  ", operation.line) : "";
    if (!process.is_none()) out += fmt::format("process {:>3}  ", to_string(process));
    return out;
  }

  static std::string label(const KeyVerdict& key) {
    return key.key.is_none() ? "" : fmt::format("{} ", to_string(key.key));
  }

  void print_failure(const KeyVerdict& key, const Counterexample& failing) {
    std::string upper(adjective());
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    fmt::print("  {}NOT {}: {}\n", label(key), upper, failing.reason);
    const OperationId misfit = failing.misfits.front();
    fmt::print("      {}{}\n", where(misfit), to_string(history_, misfit));
    if ((options_.explain || !options_.write_core.empty()) && options_.property == "linearizable") print_core(failing);
  }

  void print_core(const Counterexample& failing) {
    const auto core = watched("is made small", [&] { return find_core(history_, *spec_, failing, judging_); });
    if (!core) return;
    fmt::print("      {} alone {} it{}:\n", counted(core->operations.size(), "operation", "operations"),
               core->operations.size() == 1 ? "shows" : "show", core->irreducible ? "" : " (perhaps fewer do)");
    History part = core_history(history_, *core);
    for (OperationId id = 0; id < part.size(); ++id) {
      const OperationId original = core->operations[id];
      const bool cut = part[id].is_pending() && !history_[original].is_pending();
      fmt::print("        {}{}{}\n", where(original), to_string(part, id),
                 original == core->misfit ? "   <- has no place"
                 : cut                    ? "   (not returned by then)"
                                          : "");
    }
    if (!options_.write_core.empty() && all_.core.empty()) keep_core(std::move(part));
  }

  /// As a history that says what it was judged by, also where the log does not.
  void keep_core(History part) {
    if (options_.model.empty()) part.source().object = spec_->name();
    const SpecOptions given = options_.spec_options();
    if (given.initial) part.source().initial = given.initial;
    if (given.first) part.source().largest_first = *given.first == First::largest;
    all_.core = to_json_lines(part);
  }

  void print_undecided(const KeyVerdict& key, const Undecided& undecided) const {
    fmt::print("  {}undecided: {}; explained up to the first {} of {} returns\n", label(key), undecided.reason,
               with_commas(undecided.explained), with_commas(key.operations));
  }

  void print_witness(const Witness& witness) const {
    if (witness.order.empty() && !history_.empty()) {
      fmt::print("  no order is shown: the search for one hit a limit, and the monitor that decides needs none\n");
      return;
    }
    fmt::print("  an order that explains it:\n");
    for (const OperationId id : witness.order) fmt::print("    {}{}\n", where(id), to_string(history_, id));
  }

  /// With a bound on skew, or for an explained failure, how much skew it takes to explain the history.
  void report_skew(bool failed) {
    if (options_.property != "linearizable" || !(exact_ || history_.has_times())) return;
    if (options_.skew.empty() && !(failed && options_.explain)) return;
    if (options_.meter->stop) return;
    const auto smallest =
        watched("is judged with skews", [&] { return smallest_skew(exact_ ? *exact_ : history_, *spec_, judging_); });
    if (!smallest) {
      fmt::print("  not explained however much clocks may differ\n");
    } else if (*smallest > 0) {
      fmt::print("  explained if clocks may differ by {} or more\n", duration(*smallest));
    }
  }

  const CheckOptions& options_;
  CheckRun& all_;
  const std::string& path_;
  JudgeOptions judging_;
  History history_;
  SpecPtr spec_;
  std::optional<History> exact_;  ///< by the recorded times, if --skew blurred them
};

}  // namespace

ExitCode check_file(const std::string& path, CheckRun& all) { return FileCheck(path, all).run(); }

}  // namespace muster::cli
