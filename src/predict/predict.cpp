#include "predict/predict.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "predict/certifier.hpp"
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
    grade_groups(search);
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
        single.push_back({group.pattern, prediction.first.site, prediction.between.site, prediction.last.site, 1, {prediction}});
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

  void grade_groups(PairSearch& search) {
    Scheduler scheduler(index_, profiler_.segments(), search);
    const std::span graded = std::span{report_.groups}.first(std::min(options_.plans, report_.groups.size()));
    std::vector<Candidate> candidates;
    std::vector<GradedGroup*> owners;
    for (GradedGroup& group : graded) {
      for (const Prediction& prediction : group.group.examples) {
        auto turns = scheduler.schedule(prediction);
        if (!turns) continue;
        group.grade = Grade::feasible;
        group.scheduled = prediction;
        group.plan = make_plan(*turns, prediction, index_, reader_);
        candidates.push_back({prediction, std::move(*turns)});
        owners.push_back(&group);
        break;
      }
    }
    // Certifying looks at every event for every candidate; beyond this the rest stay feasible.
    constexpr std::uint64_t most_visits = 2'000'000'000;
    const std::uint64_t affordable =
        std::max<std::uint64_t>(20, most_visits / std::max<std::uint64_t>(report_.events, 1));
    candidates.resize(std::min<std::uint64_t>(candidates.size(), affordable));
    owners.resize(candidates.size());
    if (candidates.empty()) return;
    const std::vector<bool> certified = certify(reader_, candidates);
    for (std::size_t i = 0; i < owners.size(); ++i)
      if (certified[i]) owners[i]->grade = Grade::certified;
    std::ranges::stable_sort(graded, {}, &GradedGroup::grade);
  }

  trace::TraceReader& reader_;
  const PredictOptions& options_;
  Profiler profiler_;
  SyncIndex index_;
  SerializabilityChecker serializability_;
  RaceDetector races_;
  Report report_;
};

}  // namespace

Report predict(trace::TraceReader& reader, const PredictOptions& options) { return Run(reader, options).run(); }

}  // namespace muster::predict
