#include "cli/predict_printer.hpp"

#include <fmt/core.h>

#include "report/terminal.hpp"

namespace muster::cli {

namespace {

using namespace muster::predict;
using predict::Report;  // not the one that is written to files
using trace::NameClass;

class Printer {
 public:
  Printer(const trace::TraceReader& names, const PredictPrinting& how, const Reexecutions& outcomes)
      : names_(names), how_(how), outcomes_(outcomes) {}

  void print(const Report& report) const {
    print_run(report);
    print_places(report);
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
    fmt::print("{}: {}, {}, {}, {}, {}\n", how_.file, count(report.events, "event"), count(report.threads, "thread"),
               count(report.variables, "variable"), count(report.locks, "lock"),
               count(report.transactions, "transaction"));
    if (report.violation_count == 0)
      fmt::print("  the run itself was serializable\n");
    else
      fmt::print("  the run itself was NOT serializable: {}\n", count(report.violation_count, "violation"));
    std::size_t shown = 0;
    for (const Violation& violation : report.violations) {
      if (shown++ == how_.limit) break;
      fmt::print("    {} transaction {} and {} {} each come before the other; closed at {} ({})\n",
                 thread(violation.thread), violation.transaction, thread(violation.other),
                 transaction(violation.other_transaction), site(violation.site), closing(violation));
    }
    if (!report.races.empty()) fmt::print("  {} between plain accesses\n", count(report.races.size(), "race"));
    shown = 0;
    for (const Race& race : report.races) {
      if (shown++ == how_.limit) break;
      fmt::print("    {} {} at {} and {} {} at {}, on {}, {}\n", thread(race.first_thread), verb(race.first_writes),
                 site(race.first_site), thread(race.second_thread), verb(race.second_writes), site(race.second_site),
                 names_.describe(NameClass::variable, race.variable), count(race.count, "time"));
    }
  }

  void print_places(const Report& report) const {
    if (report.transactions == 0) {
      fmt::print(
          "  no transactions are marked, so no violations are predicted; --whole-threads takes each thread as one\n");
      return;
    }
    fmt::print("  predicted for (thread, thread, variable): {} write-read-write, {} access-write-access\n",
               report.write_read_write, report.access_write_access);
    fmt::print(
        "  {}{}\n", count(report.groups.size(), "different place"),
        report.groups.size() > how_.limit ? fmt::format("; the worst {} follow, --all shows all", how_.limit) : "");
    std::size_t number = 0;
    for (const GradedGroup& graded : report.groups) {
      if (number++ == how_.limit) break;
      print_group(number, graded);
    }
  }

  void print_group(std::size_t number, const GradedGroup& graded) const {
    const PredictionGroup& group = graded.group;
    const Prediction& example = graded.scheduled ? *graded.scheduled : group.examples.front();
    const Reexecution outcome = outcome_of(outcomes_.groups, number);
    fmt::print("{:5} {:<11} {}: {} at {}, {} at {} in between, {} at {}\n", number, grade(graded.grade, outcome),
               name(group.pattern), verb(writes(group.pattern, 0)), site(group.first_site),
               verb(writes(group.pattern, 1)), site(group.between_site), verb(writes(group.pattern, 2)),
               site(group.last_site));
    fmt::print("                  {}; for example on {}: {} event {}, {} event {}, {} event {}\n",
               count(group.count, "time"), names_.describe(NameClass::variable, example.variable),
               thread(example.thread), example.first.index, thread(example.other), example.between.index,
               thread(example.thread), example.last.index);
    print_outcome(outcome);
  }

  static Reexecution outcome_of(const std::vector<Reexecution>& outcomes, std::size_t number) {
    return number <= outcomes.size() ? outcomes[number - 1] : Reexecution{};
  }
  static const char* grade(Grade grade, const Reexecution& outcome) {
    static constexpr const char* grades[] = {"certified", "feasible", "unscheduled"};
    return outcome.word == "confirmed" ? "CONFIRMED" : grades[static_cast<unsigned>(grade)];
  }

  void print_outcome(const Reexecution& outcome) const {
    constexpr const char* margin = "                  ";
    if (outcome.word.empty()) return;
    if (!outcome.reason.empty()) fmt::print("{}re-executed: {}: {}\n", margin, outcome.word, outcome.reason);
    if (!outcome.saved.empty())
      fmt::print("{}{}; replay: {} --replay {}\n", margin,
                 outcome.reason.empty() ? "re-executed" : "what went wrong happened all the same", how_.program,
                 outcome.saved);
    for (const std::string& other : outcome.other) fmt::print("{}it then showed a {}\n", margin, other);
  }

  void print_deadlocks(const Deadlocks& deadlocks) const {
    if (!deadlocks.lock_order_has_cycle) return;
    fmt::print("  the lock order has a cycle; {}{} predicted\n", deadlocks.complete ? "" : "at least ",
               count(deadlocks.predictions.size(), "deadlock"));
    std::size_t number = 0;
    for (const DeadlockPrediction& deadlock : deadlocks.predictions) {
      if (number++ == how_.limit) break;
      print_deadlock(number, deadlock);
    }
  }

  void print_deadlock(std::size_t number, const DeadlockPrediction& deadlock) const {
    const Reexecution outcome = outcome_of(outcomes_.deadlocks, number);
    fmt::print("{:5} {:<11} deadlock:", number, grade(deadlock.grade, outcome));
    const Cycle& cycle = deadlock.shown();
    for (std::size_t i = 0; i < cycle.size(); ++i)
      fmt::print("{} {} waits for {} at {}, held by {}", i == 0 ? "" : ";", thread(cycle[i].thread),
                 names_.describe(NameClass::lock, cycle[i].lock.lock), site(cycle[i].site),
                 thread(cycle[(i + 1) % cycle.size()].thread));
    fmt::print("\n                  {}\n", count(deadlock.count, "time"));
    print_outcome(outcome);
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

  static const char* verb(bool writes) { return writes ? "writes" : "reads"; }
  static std::string transaction(std::uint32_t number) {
    return number == 0 ? "an event outside of transactions" : fmt::format("transaction {}", number);
  }
  std::string closing(const Violation& violation) const {
    if (!has_object(violation.kind)) return "by what another transaction did";
    return names_.name(object_class(violation.kind), violation.object);
  }

  const trace::TraceReader& names_;
  const PredictPrinting& how_;
  const Reexecutions& outcomes_;
};

}  // namespace

void print_predictions(const Report& report, const trace::TraceReader& names, const PredictPrinting& how,
                       const Reexecutions& outcomes) {
  Printer(names, how, outcomes).print(report);
}

}  // namespace muster::cli
