#include "harness/saved/check_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "harness/options/build_fingerprint.hpp"
#include "harness/options/sites.hpp"
#include "harness/run/check_run.hpp"
#include "harness/run/column_order.hpp"
#include "harness/saved/saved_replay.hpp"
#include "harness/steps/asides.hpp"
#include "harness/steps/check_words.hpp"
#include "harness/steps/steps.hpp"
#include "rule/failure_words.hpp"

namespace muster {
namespace {

/// What the operations of a replayed test answered; one that was declared to answer so without running has none of its
/// own.
void take_answers(const CheckDefinition& check, Failure& failure, const std::vector<TracedEvent>& events) {
  Responses responses;
  const HandleNames names(check, failure.test, responses);
  Recorded history;
  history.begin(static_cast<unsigned>(failure.test.size()));
  for (const TracedEvent& traced : events) {
    const Event& event = traced.event;
    if (event.kind != EventKind::call && event.kind != EventKind::ret) continue;
    const auto operation = static_cast<unsigned>(event.object);
    const bool is_return = event.kind == EventKind::ret;
    failure.marks.push_back({static_cast<std::uint8_t>(operation), is_return});
    if (!is_return) {
      history.call(operation);
    } else if (traced.answer[0] == AnswerText::excuse_mark) {
      history.excused |= bit_of(operation);
      history.ret(operation, responses.number(""));
    } else {
      names.record(operation, traced.answer, responses.number(traced.answer), history);
    }
  }
  const Recorded named = names.named(history);
  for (std::size_t i = 0; i < failure.answers.size(); ++i) {
    if (named.returned >> i & 1) failure.answers[i] = responses.text(named.response[i]);
  }
}

/// Whether it is wrong whatever the class is meant to do: that operations block is judged.
bool is_wrong_in_itself(IncidentKind kind) {
  return is_finding(kind) && kind != IncidentKind::deadlock && kind != IncidentKind::livelock &&
         kind != IncidentKind::leak;
}

bool went_another_way(const Replayed& replayed) {
  return std::any_of(replayed.incidents.begin(), replayed.incidents.end(),
                     [](const Incident& i) { return i.kind == IncidentKind::not_reproducible; });
}

class CheckReplay {
 public:
  CheckReplay(const CheckDefinition& check, const HarnessOptions& options, const SavedFailure& saved,
              Symbolizer& symbolizer, bool in_this_process, bool silent)
      : check_(check),
        options_(options),
        saved_(saved),
        symbolizer_(symbolizer),
        in_this_process_(in_this_process),
        silent_(silent),
        by_this_build_(saved.build == build_fingerprint()),
        schedule_(parse_schedule(saved.schedule)),
        known_(parse_sites(saved.racy_sites, symbolizer)) {
    failure_.test = parse_test(check, saved.test);
    failure_.answers.resize(failure_.test.size());
    failure_.serial = saved.serial || is_nondeterministic(saved.kind);
    rules_ = as_found(options, saved.kind, failure_.serial);
  }

  Result run() {
    Columns columns(check_, failure_.test);
    columns.set_serial(failure_.serial);
    const auto racy_sites = make_racy_sites(known_);
    Replayed replayed = in_this_process_ ? replay_in_this_process(columns.program(), rules_, schedule_, *racy_sites)
                                         : replay_in_worker(columns.program(), rules_, schedule_, *racy_sites, silent_);
    settle(replayed.events, symbolizer_);
    const Replayed as_numbered = replayed;  // threads as the execution numbers them
    ColumnOrder(failure_.test, replayed.events).apply(replayed);
    const bool unjudged = failure_.serial || in_this_process_;
    if (shows_incident(columns, as_numbered, replayed) || went_another_way(replayed) || (unjudged && by_this_build_))
      return as_saved(replayed);
    if (unjudged) {
      return undecided(in_this_process_ ? "not judged under a debugger: run it without one to see whether it fails"
                                        : "it was saved by another build: --recheck explores its test again");
    }
    return judged();
  }

 private:
  /// An execution may show several races: the one that was saved is known by its words. Of a schedule that was given by
  /// hand, whatever it shows is told.
  bool shows_incident(Columns& columns, const Replayed& as_numbered, Replayed& replayed) {
    const std::vector<Incident> incidents = replayed.incidents;
    for (const Incident& incident : incidents) {
      const bool by_hand = saved_.kind == FindingKind::none;
      if (by_hand ? !is_wrong_in_itself(incident.kind) : saved_.kind != kind_of(incident.kind)) continue;
      Replayed shown = in_this_process_ || !has_two_places(incident.kind)
                           ? as_numbered
                           : replay_showing(columns.program(), rules_, schedule_, known_, incident);
      settle(shown.events, symbolizer_);
      const Replayed shown_as_numbered = shown;
      ColumnOrder(failure_.test, shown.events).apply(shown);
      const bool races = is_race(incident.kind);
      const std::string sentence = races ? sentence_of(saved_.subject, incident, shown, symbolizer_)
                                         : describe(saved_.subject, incident, symbolizer_).sentence;
      if (races && !by_hand && sentence != saved_.sentence) continue;
      if (by_hand) {
        saved_.kind = kind_of(incident.kind);
        saved_.sentence = sentence;
      }
      failure_.show(incident);
      failure_.schedule = schedule_;
      failure_.racy_sites = known_;
      if (!in_this_process_) cause_ = cause_of(check_, failure_, rules_, shown_as_numbered);
      replayed = std::move(shown);
      return true;
    }
    return false;
  }

  Result as_saved(const Replayed& replayed) {
    take_answers(check_, failure_, replayed.events);
    Result result = tell_replay(saved_, replayed, {});
    tell(result.findings[0], tell_execution(check_, failure_, replayed.events, cause_, symbolizer_));
    result.findings[0].matrix = matrix(check_, failure_);
    return result;
  }

  /// The same execution once more, among the serial ones that it is judged by.
  Result judged() {
    CheckRunOptions run = check_run_options(options_);
    run.jobs = 1;
    run.minimise = 0;
    run.keep_going = false;
    run.check.strategy.kind = StrategyKind::depth_first;
    run.check.replay = RecordedExecution{schedule_, known_};
    const CheckRun done = run_tests(check_, given_tests({failure_.test}), run);
    const TestResult& test = done.results.at(0);
    if (test.failure) return failed(*test.failure);
    if (!test.undecided.empty()) return undecided(test.undecided);
    if (by_this_build_)
      return undecided("by the flags of this command nothing is wrong with it: repeat those that it was found with");
    return replay_of(check_.name, SubjectKind::check);
  }

  Result failed(const Failure& failure) {
    Result result = replay_of(check_.name, SubjectKind::check);
    HarnessOptions as_it_is = options_;
    as_it_is.minimise = 0;
    result.findings.push_back(explain(check_, failure, as_it_is, symbolizer_));
    result.findings[0].execution = 1;
    result.outcome = result.findings[0].proven ? Outcome::failed : Outcome::undecided;
    return result;
  }

  Result undecided(const std::string& why) {
    Result result = replay_of(check_.name, SubjectKind::check);
    result.findings.push_back(open_question(check_, failure_.test, why));
    result.outcome = Outcome::undecided;
    return result;
  }

  const CheckDefinition& check_;
  const HarnessOptions& options_;
  SavedFailure saved_;
  Symbolizer& symbolizer_;
  bool in_this_process_, silent_, by_this_build_;
  std::vector<Decision> schedule_;
  std::vector<std::uint32_t> known_;
  HarnessOptions rules_;
  Failure failure_;
  Cause cause_;
};

}  // namespace

Result replay_check(const CheckDefinition& check, const HarnessOptions& options, const SavedFailure& saved,
                    Symbolizer& symbolizer, bool in_this_process, bool silent) {
  if (saved.test.empty())
    fail("a schedule of check {} says nothing without its test: give that with --matrix", check.name);
  return CheckReplay(check, options, saved, symbolizer, in_this_process, silent).run();
}

}  // namespace muster
