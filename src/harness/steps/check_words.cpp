#include "harness/steps/check_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/options/sites.hpp"
#include "harness/steps/steps.hpp"
#include "rule/failure_words.hpp"

namespace muster {
Finding describe(const CheckDefinition& check, const Failure& failure, Symbolizer& symbolizer) {
  Finding finding = to_finding(check, failure);
  finding.racy_sites = name_sites(failure.racy_sites, symbolizer);
  if (failure.incident) {
    Finding told = describe(check.name, *failure.incident, symbolizer);
    finding.sentence = std::move(told.sentence);
    finding.file = std::move(told.file);
    finding.line = told.line;
    finding.notes = std::move(told.notes);
  }
  return finding;
}

namespace {

/// The operation whose answer shows the failure. In a quasi check what is blamed is the item that was overtaken: it
/// shows where the last one overtakes.
int shown_by(const Failure& failure, const std::vector<TracedEvent>& events) {
  int last = failure.blamed;
  if (failure.kind != FindingKind::not_quasi) return last;
  for (const TracedEvent& traced : events) {
    const auto is_this = [&](const DisplacedCall& call) { return call.operation == traced.event.object; };
    if (traced.event.kind == EventKind::ret && std::ranges::any_of(failure.displaced, is_this))
      last = static_cast<int>(traced.event.object);
  }
  return last;
}

/// A step that is not told leaves its marks to the next one of its thread.
class MarksLeft {
 public:
  void leave(const Step& step) {
    Marks& marks = left_[step.thread];
    marks.no_return |= step.no_return;
    marks.decides |= step.decides;
  }
  void pass_on(Step& step) {
    const Marks marks = std::exchange(left_[step.thread], {});
    step.no_return |= marks.no_return;
    step.decides |= marks.decides;
  }

 private:
  struct Marks {
    bool no_return = false, decides = false;
  };
  std::map<std::string, Marks> left_;
};

}  // namespace

ToldExecution tell_execution(const CheckDefinition& check, const Failure& failure,
                             const std::vector<TracedEvent>& events, const Cause& cause, Symbolizer& symbolizer) {
  ToldExecution execution;
  const auto operations = operations_of(failure.test);
  std::vector<Step> steps = to_steps(events, symbolizer, {.blocks = &execution.blocks, .in_operations = true});
  execution.cause = tell_cause(cause, steps);
  if (is_race(failure)) end_at_race(*failure.incident, events, steps);
  std::vector<Step>& told = execution.steps;
  MarksLeft marks_left;
  std::map<ThreadId, std::string> current;
  std::size_t marks = 0;
  std::string why;  // another thread runs: often from a call on, which is not told
  const int blamed = shown_by(failure, events);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Event& event = events[i].event;
    // An operation may be stuck although a call that is left would free it: what that does is not part of the story.
    const bool is_mark = event.kind == EventKind::call || event.kind == EventKind::ret;
    if (is_mark && ++marks > failure.marks.size() && failure.kind == FindingKind::stuck) break;
    Step& step = steps[i];
    step.decisive = false;
    if (step.switched) why = std::move(step.why);
    if (event.kind == EventKind::call) {
      current[event.thread] = name_of(check, operations, event.object);
      marks_left.leave(step);
      continue;  // its first step tells enough
    }
    if (event.kind == EventKind::finish || event.kind == EventKind::start) {
      marks_left.leave(step);
      continue;
    }
    marks_left.pass_on(step);
    step.operation = current[event.thread];
    if (event.thread == 0 && step.operation.empty()) continue;  // making and destroying the object
    if (event.kind == EventKind::ret) {
      const std::string& answer = failure.answers.size() > event.object ? failure.answers[event.object] : std::string();
      step.action = answers(answer);
      step.decisive = blamed == static_cast<int>(event.object);
      current[event.thread].clear();
    }
    step.switched = told.empty() || told.back().thread != step.thread;
    const bool is_told = step.switched && !told.empty() && why.starts_with(told.back().thread + " ");
    step.why = is_told ? why : "";
    why.clear();
    told.push_back(std::move(step));
  }
  // The initial sequence runs alone: the test says what it calls.
  if (!failure.serial) {
    const auto begin = std::find_if(told.begin(), told.end(),
                                    [](const Step& step) { return step.decisive || step.thread != thread_name(0); });
    if (begin != told.end()) told.erase(told.begin(), begin);
  }
  if (failure.incident && !told.empty()) told.back().decisive = true;  // it ended the execution, or the story of it
  // An operation that never returns shows in the last thing it did.
  if ((failure.kind == FindingKind::stuck || failure.kind == FindingKind::no_progress) && failure.blamed >= 0) {
    const int column = operations[static_cast<std::size_t>(failure.blamed)].column;
    const std::string thread = thread_name(static_cast<ThreadId>(column + 1));
    const auto last = std::find_if(told.rbegin(), told.rend(), [&](const Step& step) { return step.thread == thread; });
    if (last != told.rend()) last->decisive = true;
  }
  return execution;
}

void tell(Finding& finding, ToldExecution execution) {
  finding.steps = std::move(execution.steps);
  finding.cause = std::move(execution.cause);
  if (!execution.blocks.empty()) finding.notes.insert(finding.notes.begin(), std::move(execution.blocks));
}

}  // namespace muster
