#include "cli/check_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_result.hpp"
#include "cli/read_log.hpp"
#include "cli/watch.hpp"
#include "command/duration.hpp"
#include "judge/core/explain.hpp"
#include "judge/core/linearizability.hpp"
#include "judge/register/soar.hpp"
#include "report/terminal.hpp"

namespace muster::cli {
namespace {

struct Question {
  const History& history;
  const Spec& spec;
  const JudgeOptions& judging;
  const History* exact;  ///< by the recorded times, if --skew blurred them
};

template <RegisterProperty property>
Verdict judge_as_register(const Question& log) {
  return judge_register(register_history(log.history, log.spec, log.exact), property);
}

struct JudgedProperty : Property {
  Verdict (*judge)(const Question&) = nullptr;  ///< none: key by key
};

constexpr JudgedProperty properties[] = {
    {{"linearizable", "linearizable", FindingKind::not_linearizable}},
    {{"sequential", "sequentially consistent", FindingKind::not_sequential},
     [](const Question& log) { return judge_sequential_consistency(log.history, log.spec, log.judging); }},
    {{"quiescent", "quiescently consistent", FindingKind::not_quiescent},
     [](const Question& log) { return judge_quiescent_consistency(log.history, log.spec, log.judging); }},
    {{"atomic", "atomic", FindingKind::not_atomic}, judge_as_register<RegisterProperty::atomic>},
    {{"regular", "regular", FindingKind::not_regular}, judge_as_register<RegisterProperty::regular>},
    {{"safe", "safe", FindingKind::not_safe}, judge_as_register<RegisterProperty::safe>},
};

std::string duration(std::int64_t nanoseconds) {
  if (nanoseconds < 1'000) return fmt::format("{} ns", nanoseconds);
  if (nanoseconds < 1'000'000) return fmt::format("{:.4g} us", static_cast<double>(nanoseconds) / 1e3);
  if (nanoseconds < 1'000'000'000) return fmt::format("{:.4g} ms", static_cast<double>(nanoseconds) / 1e6);
  return fmt::format("{:.4g} s", static_cast<double>(nanoseconds) / 1e9);
}

/// A limit was hit before there was anything to judge.
Result not_read(const std::string& path, const CheckOptions& options) {
  Result result;
  result.subject = path;
  result.source = SubjectKind::log;
  result.summary = "not read to its end";
  result.outcome = Outcome::undecided;
  result.findings.push_back(open_question(
      path, options.meter->stop            ? "stopped while the file was read"
            : options.meter->out_of_memory ? "memory limit reached while the file was read; try a larger --memory"
                                           : fmt::format("time limit of {} reached while the file was read; "
                                                         "try a longer --time",
                                                         options.time)));
  return result;
}

/// What one file is judged by.
class FileCheck {
 public:
  FileCheck(const std::string& path, CheckRun& all)
      : options_(all.options),
        all_(all),
        path_(path),
        property_(*std::ranges::find(properties, options_.property, &JudgedProperty::flag)),
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

  Result run() {
    if (!options_.quasi.empty()) return judge_quasi(history_, spec_, options_, all_.factors);
    const KeySummary summary = watched("is judged", [&] { return judge(); });
    const bool failed = std::ranges::any_of(summary.others, fails, &KeyVerdict::verdict);
    const bool explains = options_.explain || (failed && !options_.write_core.empty());
    ToldLog told = watched(failed ? "is made small" : "is told", [&] {
      return to_result(
          {history_, *spec_, property_, summary, judging_, options_.all, options_.report_files.any(), explains});
    });
    if (told.core && !options_.write_core.empty() && all_.core.empty()) keep_core(std::move(*told.core));
    if (failed || summary.passing == summary.keys) tell_skew(told.result, failed);
    return std::move(told.result);
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
    if (!property_.judge) {
      KeySummary summary = judge_keys(history_, *spec_, judging_);
      if (!options_.explain || summary.passing < summary.keys) return summary;
      // Monitors say why something fails, but not which order explains the rest: that costs a search, which may hit a
      // limit.
      JudgeOptions options = judging_;
      options.explain = true;
      KeySummary ordered = judge_keys(history_, *spec_, options);
      return ordered.passing == ordered.keys ? ordered : summary;
    }
    Verdict verdict = property_.judge({history_, *spec_, judging_, exact_ ? &*exact_ : nullptr});
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

  /// As a history that says what it was judged by, also where the log does not.
  void keep_core(History part) {
    if (options_.model.empty()) part.source().object = spec_->name();
    const SpecOptions given = options_.spec_options();
    if (given.initial) part.source().initial = given.initial;
    if (given.first) part.source().largest_first = *given.first == First::largest;
    all_.core = to_json_lines(part);
  }

  /// With a bound on skew, or for an explained failure, how much skew it takes to explain the history.
  void tell_skew(Result& result, bool failed) {
    if (property_.judge || !(exact_ || history_.has_times())) return;
    if (options_.skew.empty() && !(failed && options_.explain)) return;
    if (options_.meter->stop) return;
    const auto smallest =
        watched("is judged with skews", [&] { return smallest_skew(exact_ ? *exact_ : history_, *spec_, judging_); });
    if (!smallest) {
      result.coverage.notes.emplace_back("not explained however much clocks may differ");
    } else if (*smallest > 0) {
      result.coverage.notes.push_back(fmt::format("explained if clocks may differ by {} or more", duration(*smallest)));
    }
  }

  const CheckOptions& options_;
  CheckRun& all_;
  const std::string& path_;
  const JudgedProperty& property_;
  JudgeOptions judging_;
  History history_;
  SpecPtr spec_;
  std::optional<History> exact_;  ///< by the recorded times, if --skew blurred them
};

}  // namespace

Result check_file(const std::string& path, CheckRun& all) {
  try {
    return FileCheck(path, all).run();
  } catch (const ReadingStopped&) {
    return not_read(path, all.options);
  }
}

}  // namespace muster::cli
