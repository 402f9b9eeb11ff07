#include "check/recorder.hpp"

#include <fmt/format.h>

#include <utility>

#include "check/same_race.hpp"
#include "rule/history_judge.hpp"
#include "runtime/cut.hpp"

namespace muster {
namespace {

/// Most answers are a few bytes long: to compare them costs less than a call of memcmp.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() > 8) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

void Recorder::mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept {
  if (mark == Mark::call) {
    current_[thread] = static_cast<std::uint8_t>(operation);
    return history_.call(operation);
  }
  const OwnWork work;
  if (mark == Mark::signal) {
    if (history_.waiting() >> current_[thread] & 1)
      history_.signals.push_back({current_[thread], static_cast<std::uint8_t>(bytes[0]), bytes[1] != std::byte{0}});
    return;
  }
  const std::string_view answer(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!answer.empty() && answer[0] == AnswerText::excuse_mark) {
    history_.excused |= std::uint64_t{1} << operation;
  }
  names_.record(operation, answer, number(operation, answer), history_);
}

ResponseId Recorder::number(std::uint32_t operation, std::string_view answer) {
  LastAnswer& last = last_answers_[operation];
  if (last.number == 0 || !same(last.text, answer)) [[unlikely]] {
    last.text = answer;
    const bool excused = !answer.empty() && answer[0] == AnswerText::excuse_mark;
    last.number = excused ? responses_.any_of(excuses_of(check_, test_, operation)) : responses_.number(answer);
  }
  return last.number;
}

void Recorder::incident(const Incident& incident) noexcept {
  const OwnWork work;
  if (is_race(incident.kind)) {
    // One that is looked for counts whenever it is met: a pass that learns of a place begins again.
    if (sought_race || raced_
                           .emplace(incident.kind, static_cast<std::uint32_t>(incident.place.site),
                                    static_cast<std::uint32_t>(incident.earlier.site))
                           .second)
      met_races_.push_back(incident);
  } else {
    fatal_ = incident;
  }
}

Failure Recorder::fail_with(Objection objection, const Recorded& history, std::span<const Decision> schedule) const {
  Failure made = failure_of(std::move(objection), test_, responses_, names_.named(history));
  made.racy_sites = points_;
  made.schedule.assign(schedule.begin(), schedule.end());
  made.preemptions = count_preemptions(schedule);
  return made;
}

Failure Recorder::fail_by(const Incident& incident, const Schedule& schedule) const {
  Failure made = fail_with({.kind = kind_of(incident.kind)}, history_, schedule.decisions());
  made.incident = incident;
  return made;
}

void Recorder::keep_races(const Schedule& schedule) {
  if (met_races_.empty()) [[likely]]
    return;
  for (const Incident& race : met_races_) {
    races.push_back(fail_by(race, schedule));
    if (found) found(races.back());
    if (sought_race && !failure && same_race(*sought_race, race)) failure = races.back();
  }
  met_races_.clear();
}

bool Recorder::ended_otherwise(const Execution& execution, const Schedule& schedule) {
  if (execution.ending == Ending::completed && !fatal_ && !columns_.broken_invariant() && columns_.not_made().empty())
      [[likely]]
    return false;
  if (!columns_.not_made().empty()) complain_of_objects(check_, columns_.not_made());
  if (execution.ending == Ending::abandoned) return true;
  if (execution.ending == Ending::cut) {
    undecided = why_cut(schedule, engine->options());
    return true;
  }
  if (fatal_) {
    if (is_finding(fatal_->kind)) {
      failure = fail_by(*fatal_, schedule);
    } else {
      undecided = fmt::format("{}: {}", name(fatal_->kind), fatal_->message);
    }
    return true;
  }
  if (execution.ending == Ending::stuck && history_.waiting() == 0) {
    failure = fail_by({.kind = IncidentKind::deadlock, .place = {}, .earlier = {}}, schedule);
    failure->incident->say("outside any operation: making or destroying the object never ends");
    return true;
  }
  if (columns_.broken_invariant() && execution.ending == Ending::completed) {
    failure = fail_with({.kind = FindingKind::invariant}, history_, schedule.decisions());
    failure->note = *columns_.broken_invariant();
    return true;
  }
  return false;
}

void Recorder::pass(Tape& tape) noexcept {
  history_.pass(tape);
  tape.pass(current_);
  columns_.pass(tape);
}

}  // namespace muster
