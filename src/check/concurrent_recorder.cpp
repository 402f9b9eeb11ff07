#include "check/concurrent_recorder.hpp"

#include <bit>
#include <utility>

#include "base/error.hpp"
#include "check/check_test.hpp"
#include "rule/quasi_judge.hpp"

namespace muster {
namespace {

/// What one history orders that another one does not: pairs of operations.
template <class Use>
void each_added(const Recorded& history, const Recorded& less, Use use) {
  for (unsigned later = 0; later < history.size; ++later) {
    if ((history.called >> later & 1) == 0) continue;
    for (std::uint64_t added = history.before[later] & ~less.before[later]; added; added &= added - 1)
      use(static_cast<unsigned>(std::countr_zero(added)), later);
  }
}

Recorded without(const Recorded& history, unsigned earlier, unsigned later) {
  Recorded made = history;
  made.partial = true;
  made.before[later] &= ~bit_of(earlier);
  return made;
}

}  // namespace

ConcurrentRecorder::ConcurrentRecorder(const CheckDefinition& check, const Test& test, Responses& responses,
                                       const RacySites& racy_sites, Columns& columns, HistoryJudge& judge,
                                       const Journal& journal, const CheckOptions& options)
    : Recorder(check, test, responses, racy_sites, columns),
      judge_(judge),
      quasi_(dynamic_cast<const QuasiJudge*>(&judge)),
      journal_(journal),
      options_(options),
      tell_histories_(options.tell_histories) {
  sought_race = options.sought_race;
}

ConcurrentRecorder ConcurrentRecorder::fresh() const {
  return {check_, test_, responses_, racy_sites_, columns_, judge_, journal_, options_};
}

void ConcurrentRecorder::forget_classes() {
  classes_.reset();
  seen_ = {};
  seen_classes_ = {};
  failing_.clear();
  all_met_.clear();
  met_.clear();
  turns.clear();
  failure.reset();
  undecided.clear();
  classes = histories_ = stuck_histories_ = 0;
  leaves_out = more_histories_ = false;
}

void ConcurrentRecorder::begin_execution() {
  Recorder::begin_execution();
  if (classes_) classes_->begin_execution();
}

bool ConcurrentRecorder::end_execution(const Execution& execution, const Schedule& schedule, Engine&) {
  if (!wrong_.empty()) throw Error(wrong_);
  keep_races(schedule);
  if (sought_race) return !failure && execution.ending != Ending::cut;
  if (!is_over()) {  // else found at a point where everything pending was blocked
    if (ended_otherwise(execution, schedule)) return !is_over() && undecided.empty();
    history_.spinning = execution.livelock;
    history_.stuck = execution.ending == Ending::stuck;
    if (execution.older_values) {
      judge_weakened(schedule.decisions());
    } else if (classes_) {
      judge_classes(schedule.decisions());
    } else {
      judge(history_, schedule.decisions());
    }
  }
  if (failure) failure->expired = execution.expired;
  return !is_over() && undecided.empty();
}

bool ConcurrentRecorder::end_aside() {
  if (!failure) undecided.clear();
  return failure.has_value();
}

void ConcurrentRecorder::tell(TestResult& result) {
  result.histories = histories_;
  result.stuck_histories = stuck_histories_;
  result.more_histories = more_histories_;
  result.largest_factor = largest_factor_;
  result.widest = widest_;
  result.met = all_met_;
  // Histories may differ in handles that were never held at once, and read the same.
  std::map<std::pair<std::string, bool>, std::uint64_t> told;
  for (const auto& [key, met] : met_) told[{met.text, met.stuck}] += met.times;
  for (const auto& [history, times] : told) result.told.push_back({times, history.second, history.first});
}

void ConcurrentRecorder::mark(ThreadId thread, std::uint32_t operation, Mark mark,
                              std::span<const std::byte> bytes) noexcept {
  if (engine->has_older_values() && mark == Mark::call)
    known_.call(engine->races(), thread, operation, history_.returned);
  Recorder::mark(thread, operation, mark, bytes);
  if (engine->has_older_values() && mark == Mark::ret) known_.ret(engine->races(), thread, operation);
  if (!classes_) return;
  if (mark == Mark::call) classes_->call(thread, operation, engine->current().attached);
  if (mark == Mark::ret) classes_->ret(operation);
}

void ConcurrentRecorder::all_pending_blocked() noexcept {
  if (is_over() || classes_ || !judge_.looks_at_blocked_points()) return;
  const OwnWork work;
  history_.stuck = true;
  try {
    if (engine->took_older_value())
      judge_weakened(journal_.schedule.decisions());
    else
      judge(history_, journal_.schedule.decisions());
  } catch (const Error& error) {
    wrong_ = error.what();
  }
  history_.stuck = false;
}

/// The order in which operations return and others are called is no order in time where some thread took an older
/// value. All executions of a class have the same happens-before, and so one history.
void ConcurrentRecorder::judge_weakened(std::span<const Decision> schedule) {
  const Recorded history = known_.weakened(history_);
  if (classes_ && seen_classes_.insert(mix(history.key(responses_), 1))) ++classes;
  judge(history, schedule);
  if (is_over() || !undecided.empty()) return;
  StrongOrder& order = engine->older_values().order();
  const HistoryClass classed = known_.with_callers(history, order);
  if (order.has_strong()) return judge_allowed(classed, history, {order, schedule});
  const ClassRecorder::Cut whole{};
  if (!seen_classes_.insert(mix(classed.key(responses_), 2))) return;
  judge_histories(classed, {whole, schedule, true});
}

/// The same where seq_cst allows callers only some of these orders.
void ConcurrentRecorder::judge_allowed(const HistoryClass& classed, const Recorded& weakened, const ByCallers& by) {
  const bool passes = !tell_histories_ && judge_.passes_with_less_order(classed.strictest());
  if (passes) return count_all(classed);
  std::uint64_t judged = 0;
  each_history(classed, responses_, [&](const Recorded& history) {
    if (++judged > most_allowed || !has_time()) return !(leaves_out = more_histories_ = true);
    const bool is_known = !tell_histories_ && seen_.contains(history.key(responses_)) && failing_.empty();
    if (is_known || (!tell_histories_ && judge_.passes_with_less_order(history))) return true;
    if (known_.allows(history, weakened, by.order))
      judge(history, by.schedule);
    else
      judge_with_less(history, weakened, by);
    return !is_over() && undecided.empty();
  });
}

/// An order that callers cannot add may have parts that they can, and that are enough to fail. Of what fails by itself
/// a least part is looked for; if that is forbidden, what is left fails only without something of it.
void ConcurrentRecorder::judge_with_less(const Recorded& history, const Recorded& weakened, const ByCallers& by) {
  std::vector<Recorded> open{history};
  KeySet met;
  for (std::uint64_t tried = 0; !open.empty() && !is_over() && undecided.empty();) {
    const Recorded whole = open.back();
    open.pop_back();
    if (!met.insert(whole.key(responses_)) || judge_.passes(whole)) continue;
    if (++tried > most_allowed) return void(leaves_out = more_histories_ = true);
    const Recorded least = least_failing(whole, weakened);
    if (known_.allows(least, weakened, by.order)) return judge(least, by.schedule);
    each_added(least, weakened,
               [&](unsigned earlier, unsigned later) { open.push_back(without(whole, earlier, later)); });
  }
}

Recorded ConcurrentRecorder::least_failing(const Recorded& whole, const Recorded& weakened) {
  Recorded least = whole;
  each_added(whole, weakened, [&](unsigned earlier, unsigned later) {
    const Recorded less = without(least, earlier, later);
    if (!judge_.passes(less)) least = less;
  });
  return least;
}

void ConcurrentRecorder::judge_classes(std::span<const Decision> schedule) {
  // Signals are in the order of this one execution; the histories of its class are judged without them.
  const ClassRecorder::Cut whole{};
  judge_class(classes_->whole(history_), {whole, schedule});
  if (!judge_.looks_at_blocked_points()) return;
  classes_->each_stuck_cut(history_, [&](const HistoryClass& classed, const ClassRecorder::Cut& cut) {
    if (!is_over()) judge_class(classed, {cut, schedule});
  });
}

void ConcurrentRecorder::judge_class(const HistoryClass& classed, const Shown& shown) {
  const std::uint64_t key = classed.key(responses_);
  if (!seen_classes_.insert(key)) return;
  ++classes;
  all_met_.push_back({key, MetHistory::whole_class});
  judge_histories(classed, shown);
}

void ConcurrentRecorder::judge_histories(const HistoryClass& classed, const Shown& shown) {
  if (!tell_histories_ && judge_.passes_with_less_order(classed.strictest())) return count_all(classed);
  constexpr std::uint64_t few = 100;
  if (!tell_histories_ && (judge_each(classed, few, shown) || judge_at_once(classed, shown))) return;
  if (!judge_each(classed, most_of_a_class, shown)) leaves_out = more_histories_ = true;
}

/// The search ends after the execution in which time runs out. A class that is begun is finished if that takes no more
/// than a second: one that was left out stays so, also where the search is gone on with.
bool ConcurrentRecorder::has_time() const {
  return std::chrono::steady_clock::now() - std::chrono::seconds(1) < options_.deadline;
}

/// False if the class has more histories than that, or more than there is time for.
bool ConcurrentRecorder::judge_each(const HistoryClass& classed, std::uint64_t most, const Shown& shown) {
  constexpr std::uint64_t look_at_time_every = 256;
  std::uint64_t judged = 0;
  bool all = true;
  each_history(classed, responses_, [&](const Recorded& history) {
    all = judged < most && (++judged % look_at_time_every != 0 || has_time());
    return all && judge_one(history, shown);
  });
  return all;
}

/// False if nothing is known by that.
bool ConcurrentRecorder::judge_at_once(const HistoryClass& classed, const Shown& shown) {
  const ClassRuling ruling = judge_.judge_all(classed, [this] { return has_time(); });
  if (ruling.kind == ClassRuling::Kind::passes) count_all(classed);
  if (ruling.kind == ClassRuling::Kind::fails) judge_one(*ruling.failing, shown);
  return ruling.kind != ClassRuling::Kind::unknown;
}

/// False if no other needs to be judged.
bool ConcurrentRecorder::judge_one(const Recorded& history, const Shown& shown) {
  const bool failed_before = failure.has_value();
  judge(history, shown.schedule);
  if (failure && !failed_before && !shown.by_callers) turns = classes_->order_with(history, shown.cut);
  return !is_over();
}

void ConcurrentRecorder::judge(const Recorded& history, std::span<const Decision> schedule) {
  const std::uint64_t key = history.key(responses_);
  if (tell_histories_) [[unlikely]]
    keep_told(history, key);
  const bool fresh = remember(key);
  if (!fresh && (failure || failing_.empty() || !failing_.contains(key))) [[likely]]
    return;
  judge_closely(history, key, fresh, schedule);
}

/// Whether it is new. Those that there is no room for stay new, and are not counted.
bool ConcurrentRecorder::remember(std::uint64_t history) {
  if (histories_ < most_counted) [[likely]]
    return seen_.insert(history);
  const bool fresh = !seen_.contains(history);
  more_histories_ |= fresh;
  return fresh;
}

void ConcurrentRecorder::count(std::uint64_t history, bool stuck) {
  if (histories_ == most_counted) [[unlikely]]
    return;
  ++histories_;
  stuck_histories_ += stuck;
  all_met_.push_back({history, stuck ? MetHistory::stuck : std::uint8_t{0}});
}

/// Those of a class that passes.
void ConcurrentRecorder::count_all(const HistoryClass& classed) {
  passing_.clear();
  more_histories_ |= !add_keys(classed, responses_, most_of_a_class, passing_);
  for (const std::uint64_t history : passing_) seen_.expect(history);
  for (const std::uint64_t history : passing_) {
    if (remember(history)) count(history, classed.stuck);
  }
}

void ConcurrentRecorder::keep_told(const Recorded& history, std::uint64_t key) {
  Met& met = met_[key];
  if (met.times++ > 0) return;
  met.stuck = history.stuck;
  Recorded told = history;
  told.rearrange();
  met.text = to_text(to_history(check_, test_, names_.named(told), responses_));
}

/// One that is new, or that failed before and now would be the failure to tell.
[[gnu::noinline]] void ConcurrentRecorder::judge_closely(const Recorded& history, std::uint64_t key, bool fresh,
                                                         std::span<const Decision> schedule) {
  const std::uint64_t counted = histories_;
  if (fresh) count(key, history.stuck);
  Ruling ruling = judge_.judge(history);
  if (histories_ > counted) all_met_.back().kind |= ruling.kind;
  if (ruling.objection || !ruling.undecided.empty()) failing_.insert(key);
  if (!ruling.undecided.empty()) undecided = std::move(ruling.undecided);
  if (quasi_ && quasi_->largest_factor() > largest_factor_) {
    largest_factor_ = quasi_->largest_factor();
    widest_ =
        fail_with({.kind = FindingKind::not_quasi, .displaced = quasi_->displaced(), .note = quasi_->explanation()},
                  history, schedule);
  }
  if (!ruling.objection || failure) return;
  failure = fail_with(std::move(*ruling.objection), history, schedule);
}

void ConcurrentRecorder::pass(Tape& tape) noexcept {
  Recorder::pass(tape);
  if (engine->has_older_values()) known_.pass(tape);
  if (classes_) classes_->pass(tape);
}

}  // namespace muster
