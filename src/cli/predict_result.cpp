#include "cli/predict_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "report/terminal.hpp"

namespace muster::cli {
namespace {

using namespace muster::predict;
using trace::NameClass;

class TraceTeller {
 public:
  TraceTeller(const predict::Report& report, const trace::TraceReader& names, const std::string& file,
              std::size_t limit, const Reexecutions& outcomes)
      : report_(report), names_(names), file_(file), limit_(limit), outcomes_(outcomes) {}

  Result tell() {
    result_.subject = file_;
    result_.source = SubjectKind::trace;
    result_.summary = fmt::format("{}, {}, {}, {}, {}", count(report_.events, "event"),
                                  count(report_.threads, "thread"), count(report_.variables, "variable"),
                                  count(report_.locks, "lock"), count(report_.transactions, "transaction"));
    conclude();
    tell_caveats();
    each(report_.violations, [&](const Violation& violation) { add(violation); });
    each(report_.races, [&](const Race& race) { add(race); });
    std::size_t number = 0;
    each(report_.groups, [&](const GradedGroup& graded) { add(graded, outcome_of(outcomes_.groups, number++)); });
    number = 0;
    each(report_.deadlocks.predictions,
         [&](const DeadlockPrediction& deadlock) { add(deadlock, outcome_of(outcomes_.deadlocks, number++)); });
    return std::move(result_);
  }

 private:
  template <class List, class Add>
  void each(const List& list, const Add& add) {
    for (std::size_t i = 0; i < std::min(list.size(), limit_); ++i) add(list[i]);
  }

  template <class... Args>
  void conclude(fmt::format_string<Args...> format, Args&&... args) {
    result_.conclusions.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void conclude() {
    if (report_.violation_count == 0)
      conclude("the run itself was serializable");
    else
      conclude("the run itself was NOT serializable: {}", count(report_.violation_count, "violation"));
    if (!report_.races.empty()) conclude("{} between plain accesses", count(report_.races.size(), "race"));
    conclude_places();
    const Deadlocks& deadlocks = report_.deadlocks;
    if (deadlocks.lock_order_has_cycle)
      conclude("the lock order has a cycle; {}{} predicted", deadlocks.complete ? "" : "at least ",
               count(deadlocks.predictions.size(), "deadlock"));
  }

  void conclude_places() {
    if (report_.transactions == 0)
      return conclude(
          "no transactions are marked, so no violations are predicted; --whole-threads takes each thread as one");
    conclude("predicted for (thread, thread, variable): {} write-read-write, {} access-write-access",
             report_.write_read_write, report_.access_write_access);
    conclude("{}{}", count(report_.groups.size(), "different place"),
             report_.groups.size() > limit_ ? fmt::format("; the worst {} follow, --all shows all", limit_) : "");
  }

  void tell_caveats() {
    std::vector<std::string>& notes = result_.coverage.notes;
    if (report_.rejected > 0)
      notes.push_back(
          fmt::format("{} candidates were dropped: the run would deadlock before the last access", report_.rejected));
    if (report_.undecided > 0)
      notes.push_back(fmt::format("{} candidates are undecided and not reported", report_.undecided));
    if (report_.coarsened)
      notes.emplace_back(
          "locks are released out of order; they count as held until inner ones are gone, so predictions may be "
          "missing");
    if (report_.thinned) notes.emplace_back("too many different witnesses to keep all; predictions may be missing");
  }

  Finding& finding(FindingKind kind, bool happened) {
    Finding& finding = result_.findings.emplace_back();
    finding.subject = std::filesystem::path(file_).filename();
    finding.kind = kind;
    finding.proven = happened;
    if (happened) result_.outcome = Outcome::failed;
    return finding;
  }

  void add(const Violation& violation) {
    Finding& told = finding(FindingKind::not_serializable, true);
    told.sentence = fmt::format("{} transaction {} and {} {} each come before the other; closed at {} ({})",
                                thread(violation.thread), violation.transaction, thread(violation.other),
                                transaction(violation.other_transaction), site(violation.site), closing(violation));
    told.steps = {step(violation.thread, "closes the cycle", "", violation.site)};
    told.steps.back().decisive = true;
  }

  void add(const Race& race) {
    Finding& told = finding(FindingKind::race, true);
    const std::string variable = names_.describe(NameClass::variable, race.variable);
    told.sentence = fmt::format("race on {}: {} {} at {}, {} {} at {}, and nothing orders the two", variable,
                                thread(race.first_thread), verb(race.first_writes), site(race.first_site),
                                thread(race.second_thread), verb(race.second_writes), site(race.second_site));
    told.notes.push_back(count(race.count, "time"));
    told.steps = {step(race.first_thread, verb(race.first_writes), variable, race.first_site),
                  step(race.second_thread, verb(race.second_writes), variable, race.second_site)};
    told.steps.back().decisive = true;
  }

  static Reexecution outcome_of(const std::vector<Reexecution>& outcomes, std::size_t number) {
    return number < outcomes.size() ? outcomes[number] : Reexecution{};
  }

  /// What was predicted, as a failure if it happened when it was re-executed.
  Finding& predicted(FindingKind kind, Grade grade, const Reexecution& outcome) {
    static constexpr FindingGrade grades[] = {FindingGrade::certified, FindingGrade::feasible,
                                              FindingGrade::unscheduled};
    const bool confirmed = outcome.word == "confirmed";
    if (!confirmed && !outcome.saved.empty()) result_.outcome = Outcome::failed;
    Finding& told = finding(kind, confirmed);
    if (!confirmed) told.grade = grades[static_cast<unsigned>(grade)];
    told.saved_as = outcome.saved;
    return told;
  }

  static void tell_outcome(Finding& told, const Reexecution& outcome) {
    if (outcome.word.empty()) return;
    told.notes.push_back("re-executed: " + outcome.word + (outcome.reason.empty() ? "" : ": " + outcome.reason));
    if (!outcome.reason.empty() && !outcome.saved.empty())
      told.notes.emplace_back("what went wrong happened all the same");
    for (const std::string& other : outcome.other) told.notes.push_back("it then showed a " + other);
  }

  void add(const GradedGroup& graded, const Reexecution& outcome) {
    const PredictionGroup& group = graded.group;
    const Prediction& example = graded.scheduled ? *graded.scheduled : group.examples.front();
    Finding& told = predicted(FindingKind::atomicity_violation, graded.grade, outcome);
    const std::string variable = names_.describe(NameClass::variable, example.variable);
    const auto accesses = [&](int number) { return verb(writes(group.pattern, number)); };
    told.sentence =
        fmt::format("{}: {} at {}, {} at {} in between, {} at {}", name(group.pattern), accesses(0),
                    site(group.first_site), accesses(1), site(group.between_site), accesses(2), site(group.last_site));
    told.notes.push_back(fmt::format("{}; for example on {}: {} event {}, {} event {}, {} event {}",
                                     count(group.count, "time"), variable, thread(example.thread), example.first.index,
                                     thread(example.other), example.between.index, thread(example.thread),
                                     example.last.index));
    tell_outcome(told, outcome);
    told.steps = {step(example.thread, accesses(0), variable, group.first_site),
                  step(example.other, accesses(1), variable, group.between_site),
                  step(example.thread, accesses(2), variable, group.last_site)};
    told.steps[1].switched = told.steps[2].switched = true;
    told.steps[1].decisive = true;
  }

  void add(const DeadlockPrediction& deadlock, const Reexecution& outcome) {
    Finding& told = predicted(FindingKind::deadlock, deadlock.grade, outcome);
    told.sentence = "deadlock: ";
    const Cycle& cycle = deadlock.shown();
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const std::string lock = names_.describe(NameClass::lock, cycle[i].lock.lock);
      told.sentence += fmt::format("{}{} waits for {} at {}, held by {}", i == 0 ? "" : "; ", thread(cycle[i].thread),
                                   lock, site(cycle[i].site), thread(cycle[(i + 1) % cycle.size()].thread));
      told.steps.push_back(step(cycle[i].thread, "waits for", lock, cycle[i].site));
    }
    told.steps.back().decisive = true;
    told.notes.push_back(count(deadlock.count, "time"));
    tell_outcome(told, outcome);
  }

  Step step(std::uint32_t id, const char* action, std::string object, std::uint32_t where) const {
    Step step;
    step.thread = thread(id);
    step.action = action;
    step.object = std::move(object);
    step.place = names_.name(NameClass::site, where);
    step.switched = true;
    // "bank.cpp:31": whatever comes before the last colon is the file.
    const auto colon = step.place.rfind(':');
    if (colon == std::string::npos) return step;
    const char* end = step.place.data() + step.place.size();
    if (std::from_chars(step.place.data() + colon + 1, end, step.line).ptr == end && step.line > 0)
      step.file = step.place.substr(0, colon);
    else
      step.line = 0;
    return step;
  }

  std::string thread(std::uint32_t id) const { return names_.name(NameClass::thread, id); }
  std::string site(std::uint32_t id) const {
    const std::string text = names_.name(NameClass::site, id);
    return text.empty() ? "an unknown place" : text;
  }
  static std::string count(std::uint64_t number, const char* what) {
    return fmt::format("{} {}{}", with_commas(number), what, number == 1 ? "" : "s");
  }
  static std::string transaction(std::uint32_t number) {
    return number == 0 ? "an event outside of transactions" : fmt::format("transaction {}", number);
  }
  std::string closing(const Violation& violation) const {
    if (!has_object(violation.kind)) return "by what another transaction did";
    return names_.name(object_class(violation.kind), violation.object);
  }
  static const char* verb(bool writes) { return writes ? "writes" : "reads"; }

  const predict::Report& report_;
  const trace::TraceReader& names_;
  const std::string& file_;
  std::size_t limit_;
  const Reexecutions& outcomes_;
  Result result_;
};

}  // namespace

Result to_result(const predict::Report& report, const trace::TraceReader& names, const std::string& file,
                 std::size_t limit, const Reexecutions& outcomes) {
  return TraceTeller(report, names, file, limit, outcomes).tell();
}

}  // namespace muster::cli
