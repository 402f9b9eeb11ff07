#include "predict/predict.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "predict/certifier.hpp"
#include "predict/deadlock_schedule.hpp"
#include "predict/make_plan.hpp"
#include "predict/schedule.hpp"
#include "trace/validator.hpp"

namespace muster::predict {

namespace {

class Run {
 public:
  Run(trace::TraceReader& reader, const PredictOptions& options)
      : reader_(reader), options_(options), profiler_(options.transactions), serializability_(options.transactions) {}

  Report run() {
    read_trace();
    profiler_.finish();
    describe();
    report_.deadlocks = find_deadlocks(profiler_);
    PairSearch search(index_, profiler_.segments());
    take(match(profiler_, search,
               {.examples = options_.every ? ~std::size_t{0} : std::max<std::size_t>(options_.examples, 1),
                .may_deadlock = report_.deadlocks.lock_order_has_cycle}));
    grade(search);
    return std::move(report_);
  }

 private:
  void read_trace() {
    trace::Validator validator(reader_);
    try {
      for (auto batch = reader_.next(); !batch.empty(); batch = reader_.next()) {
        const std::size_t valid = count_valid(validator, batch);
        consume(batch.first(valid));
        if (report_.stopped) return;
        if (!options_.meter) continue;
        options_.meter->done = report_.events;
        if (options_.meter->stop) {
          report_.stopped = "stopped before the end of the trace";
          return;
        }
      }
    } catch (const Error& error) {
      report_.stopped = error.what();
    }
  }

  std::size_t count_valid(trace::Validator& validator, std::span<const trace::Event> batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (auto problem = validator.check(batch[i])) {
        report_.stopped = std::move(problem);
        return i;
      }
    }
    return batch.size();
  }

  void consume(std::span<const trace::Event> events) {
    report_.events += events.size();
    profiler_.consume(events);
    index_.consume(events);
    if (!options_.observed) return;
    serializability_.consume(events);
    races_.consume(events);
  }

  void describe() {
    report_.threads = reader_.count(trace::NameClass::thread);
    report_.variables = reader_.count(trace::NameClass::variable);
    report_.locks = reader_.count(trace::NameClass::lock);
    report_.transactions = profiler_.transactions();
    report_.coarsened = profiler_.coarsened();
    report_.thinned = profiler_.thinned();
    report_.violations.assign(serializability_.violations().begin(), serializability_.violations().end());
    report_.violation_count = serializability_.violation_count();
    report_.races.assign(races_.races().begin(), races_.races().end());
  }

  static std::vector<PredictionGroup> one_by_one(const std::vector<PredictionGroup>& groups) {
    std::vector<PredictionGroup> single;
    for (const PredictionGroup& group : groups)
      for (const Prediction& prediction : group.examples)
        single.push_back(
            {group.pattern, prediction.first.site, prediction.between.site, prediction.last.site, 1, {prediction}});
    return single;
  }

  void take(Matches matches) {
    report_.write_read_write = matches.write_read_write;
    report_.access_write_access = matches.access_write_access;
    report_.rejected = matches.rejected;
    report_.undecided = matches.undecided;
    if (options_.every) matches.groups = one_by_one(matches.groups);
    for (PredictionGroup& group : matches.groups)
      report_.groups.push_back({.group = std::move(group), .grade = Grade::unscheduled, .scheduled = {}, .plan = {}});
  }

  /// What was scheduled of a group or of the deadlocks at the same places, until it is known how far it holds.
  struct Owner {
    GradedGroup* group = nullptr;
    DeadlockPrediction* deadlock = nullptr;
  };

  void grade(PairSearch& search) {
    const std::span groups = std::span{report_.groups}.first(std::min(options_.plans, report_.groups.size()));
    std::vector<DeadlockPrediction>& all = report_.deadlocks.predictions;
    const std::span deadlocks = std::span{all}.first(std::min(options_.plans, all.size()));
    for (GradedGroup& group : groups) schedule(group, search);
    for (DeadlockPrediction& deadlock : deadlocks) schedule(deadlock);
    const std::vector<Certificate> certificates = look_closer();
    for (std::size_t i = 0; i < owners_.size(); ++i) take(owners_[i], candidates_[i].turns, certificates[i]);
    std::ranges::stable_sort(groups, {}, &GradedGroup::grade);
    std::ranges::stable_sort(deadlocks, {}, &DeadlockPrediction::grade);
  }

  void schedule(GradedGroup& group, PairSearch& search) {
    Scheduler scheduler(index_, profiler_.segments(), search);
    for (const Prediction& prediction : group.group.examples) {
      auto turns = scheduler.schedule(prediction);
      if (!turns) continue;
      group.scheduled = prediction;
      candidates_.push_back({std::move(*turns), prediction});
      owners_.push_back({.group = &group});
      return;
    }
  }

  void schedule(DeadlockPrediction& deadlock) {
    DeadlockScheduler scheduler(index_, profiler_.segments());
    for (const Cycle& cycle : deadlock.examples) {
      auto turns = scheduler.schedule(cycle);
      if (!turns) continue;
      deadlock.scheduled = cycle;
      candidates_.push_back({std::move(*turns), std::nullopt});
      owners_.push_back({.deadlock = &deadlock});
      return;
    }
  }

  /// Certifying may look at every event for every candidate; those for which that is too much stay feasible.
  std::vector<Certificate> look_closer() {
    constexpr std::uint64_t most_visits = 2'000'000'000;
    const std::uint64_t affordable =
        std::max<std::uint64_t>(20, most_visits / std::max<std::uint64_t>(report_.events, 1));
    const auto end =
        candidates_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(candidates_.size(), affordable));
    const std::vector<Candidate> chosen(candidates_.begin(), end);
    std::vector<Certificate> certificates;
    if (!chosen.empty()) certificates = certify(reader_, chosen);
    certificates.resize(candidates_.size());
    return certificates;
  }

  void take(const Owner& owner, const std::vector<Turn>& turns, const Certificate& certificate) {
    const Grade grade = certificate.certified ? Grade::certified : Grade::feasible;
    if (owner.group) {
      owner.group->grade = grade;
      owner.group->plan = finished(make_plan(turns, *owner.group->scheduled, certificate.nth, index_, reader_));
    } else {
      owner.deadlock->grade = grade;
      owner.deadlock->plan = finished(make_plan(turns, *owner.deadlock->scheduled, index_, reader_));
    }
  }

  Plan finished(Plan plan) const {
    plan.only = options_.every;
    plan.whole_threads = options_.transactions == Transactions::whole_threads;
    return plan;
  }

  trace::TraceReader& reader_;
  const PredictOptions& options_;
  Profiler profiler_;
  SyncIndex index_;
  SerializabilityChecker serializability_;
  RaceDetector races_;
  Report report_;
  std::vector<Candidate> candidates_;
  std::vector<Owner> owners_;  // of the candidates
};

}  // namespace

Report predict(trace::TraceReader& reader, const PredictOptions& options) { return Run(reader, options).run(); }

}  // namespace muster::predict
