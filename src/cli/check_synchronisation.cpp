#include "cli/check_synchronisation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_result.hpp"
#include "cli/read_log.hpp"
#include "judge/synchronisation/synchronisation.hpp"
#include "report/terminal.hpp"
#include "spec/synchronisation_objects.hpp"

namespace muster::cli {
namespace {

/// Synchronisations are joins on the timeline.
class SynchronisationTeller {
 public:
  SynchronisationTeller(const History& history, const SyncSpec& spec, const CheckOptions& options,
                        const SyncOptions& judging)
      : history_(history), spec_(spec), options_(options), judging_(judging) {}

  Result tell(const SyncVerdict& verdict) const {
    Result result;
    result.subject = history_.source().name;
    result.source = SubjectKind::log;
    result.summary = size_of(history_);
    if (const auto* witness = std::get_if<SyncWitness>(&verdict)) {
      result.conclusions.push_back(fmt::format("{}: synchronisation-linearizable{}", spec_.name(),
                                               options_.stuck ? ", and may block here" : ""));
      if (options_.explain || options_.report_files.any()) result.timeline = joined(witness->synchronisations);
    } else if (const auto* failing = std::get_if<SyncCounterexample>(&verdict)) {
      result.outcome = Outcome::failed;
      result.findings.push_back(failure(*failing));
    } else {
      result.outcome = Outcome::undecided;
      result.findings.push_back(open_question(history_.source().name, std::get<Undecided>(verdict).reason));
    }
    return result;
  }

 private:
  Finding failure(const SyncCounterexample& failing) const {
    const bool unexplained = failing.fault == SyncFault::unexplained;
    Finding told;
    told.subject = history_.source().name;
    told.kind = unexplained ? FindingKind::no_synchronisation : FindingKind::no_progress;
    told.sentence = failing.reason;
    told.timeline = joined(options_.report_files.any() ? explain_the_rest(history_, spec_, failing, judging_)
                                                       : std::vector<Synchronisation>());
    for (const OperationId id : failing.operations) told.timeline.operations[id].blamed = true;
    return told;
  }

  Timeline joined(const std::vector<Synchronisation>& synchronisations) const {
    std::vector<std::uint32_t> numbers;
    Timeline timeline = to_timeline(
        history_, [](OperationId) { return true; }, numbers);
    for (const Synchronisation& each : synchronisations) {
      timeline.joins.emplace_back(each.participants.begin(), each.participants.end());
      timeline.join_names.push_back(spec_.modes()[each.mode].name);
    }
    return timeline;
  }

  const History& history_;
  const SyncSpec& spec_;
  const CheckOptions& options_;
  const SyncOptions& judging_;
};

}  // namespace

bool is_synchronisation(const CheckOptions& options) {
  const auto names = synchronisation_spec_names();
  return std::ranges::find(names, options.spec) != names.end();
}

Result check_synchronisation(const CheckOptions& options, const std::string& path) {
  const SyncSpecPtr spec = find_synchronisation_spec(options.spec, options.participants);
  History history = read_log(path, options);
  arrange(history, *spec);
  SyncOptions judging;
  judging.limits = options.judge_options();
  if (options.general) judging.judge = SyncJudge::search;
  const SyncVerdict verdict =
      options.stuck ? judge_progress(history, *spec, judging) : judge_synchronisation(history, *spec, judging);
  return SynchronisationTeller(history, *spec, options, judging).tell(verdict);
}

}  // namespace muster::cli
