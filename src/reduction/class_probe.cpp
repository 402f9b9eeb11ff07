#include "reduction/class_probe.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace muster {
namespace {

// Two ways to draw, each as often as the other. Often the running thread goes on where it can: then few attempts are
// made in vain, and an execution with one of these tells nothing. Or any thread that can step is as likely as another,
// which tells more where nobody tries again.
constexpr double ways_to_go_on[] = {0, 0.75};

/// The chance to draw a thread where so many can step.
double chance(double goes_on, bool is_last, bool last_can_step, std::size_t count) {
  const double any = (last_can_step ? 1 - goes_on : 1) / static_cast<double>(count);
  return is_last && last_can_step ? goes_on + any : any;
}

bool happens(double chance, Rng& rng) { return static_cast<double>(rng.below(1000)) < 1000 * chance; }

/// Of something that transitions wait for: others take it and give it back, or give it first.
struct Change {
  TransitionIndex by;
  bool there;  // afterwards
};
struct Need {
  std::vector<Change> changes;  // in order
  bool at_first;                // it is there
};

/// The transitions of one class, thread by thread, to be put in other orders.
class Transitions {
 public:
  explicit Transitions(const CausalOrder& order) : order_(order), needs_(order.size()) {
    for (TransitionIndex i = 0; i < order.size(); ++i) {
      const ThreadId thread = order.thread(i);
      if (columns_.size() <= thread) columns_.resize(thread + 1u);
      columns_[thread].push_back(i);
      for (const Access& access : order.accesses(i)) note(i, access);
    }
  }

  /// One order, drawn: how much more likely it is by the rules of an execution than as it is drawn here.
  double draw(double goes_on, Rng& rng) {
    std::vector<std::size_t> made(columns_.size(), 0);
    done_.assign(order_.size(), false);
    double ratio = 1;
    ThreadId last = 0;
    for (std::size_t left = order_.size(); left > 0; --left) {
      unsigned enabled = 0;
      bool last_can_step = false, last_is_available = false;
      available_.clear();
      for (ThreadId thread = 0; thread < columns_.size(); ++thread) {
        if (made[thread] == columns_[thread].size()) continue;
        const TransitionIndex next = columns_[thread][made[thread]];
        const bool now = all_before_are_made(next, made);
        if (now) available_.push_back(thread);
        if (!now && !can_step(next)) continue;
        ++enabled;
        if (thread == last) last_can_step = true, last_is_available = now;
      }
      const ThreadId thread =
          last_is_available && happens(goes_on, rng) ? last : available_[rng.below(available_.size())];
      ratio *= chance(goes_on, thread == last, last_can_step, enabled) /
               chance(goes_on, thread == last, last_is_available, available_.size());
      done_[columns_[thread][made[thread]++]] = true;
      last = thread;
    }
    return ratio;
  }

 private:
  void note(TransitionIndex i, const Access& access) {
    std::vector<Change>& changes = changes_[access.object];
    const bool takes = access.blocking && access.mode != AccessMode::read;
    if (takes) needs_[i].push_back({changes, changes.empty() || !changes.front().there});
    // Who only looks waits for the last change before, whatever was there earlier: a thread's start, or its end.
    if (access.blocking && !takes && !changes.empty()) needs_[i].push_back({{changes.back()}, false});
    if (takes || access.enabling) changes.push_back({i, access.enabling});
  }

  bool all_before_are_made(TransitionIndex next, const std::vector<std::size_t>& made) const {
    for (ThreadId thread = 0; thread < columns_.size(); ++thread) {
      if (thread == order_.thread(next) || made[thread] == columns_[thread].size()) continue;
      if (order_.before(columns_[thread][made[thread]], next)) return false;
    }
    return true;
  }

  bool can_step(TransitionIndex next) const {
    return std::all_of(needs_[next].begin(), needs_[next].end(), [&](const Need& need) {
      bool there = need.at_first;
      for (const Change& change : need.changes) {
        if (done_[change.by]) there = change.there;
      }
      return there;
    });
  }

  const CausalOrder& order_;
  std::vector<std::vector<TransitionIndex>> columns_;
  std::vector<std::vector<Need>> needs_;             // by transition
  std::map<ObjectId, std::vector<Change>> changes_;  // so far
  std::vector<bool> done_;
  std::vector<ThreadId> available_;
};

}  // namespace

double chance_of_class(const CausalOrder& order, Rng& rng) {
  constexpr int sample = 256;
  Transitions transitions(order);
  double sum = 0;
  for (int i = 0; i < sample; ++i) sum += transitions.draw(ways_to_go_on[i % 2], rng);
  return sum / sample;
}

bool ClassProbe::begin_execution(Schedule& schedule) {
  classes_.reset();
  settling_ = false;
  if (!bookkeeper_.can_pause()) {
    bookkeeper_.begin_execution(schedule);
    settling_ = !bookkeeper_.can_pause();
    const bool after_all = schedule.size() > 0 && schedule.decisions().back().kind == PointKind::retry;
    if (settling_ || after_all) return true;
  }
  values_ = 1;
  goes_on_ = ways_to_go_on[rng_.below(2)];
  bookkeeper_.begin_job({});
  return bookkeeper_.begin_execution(schedule);
}

std::uint8_t ClassProbe::decide(const Point& point) {
  const std::uint8_t decision = bookkeeper_.decide(point);
  if (settling_ || decision == abandon || point.kind == PointKind::retry) return decision;
  const auto drawn = static_cast<std::uint8_t>(rng_.below(point.options.size()));
  if (point.kind != PointKind::thread) {
    values_ *= static_cast<double>(point.options.size());
    return drawn;
  }
  return point.options[0] == point.running && happens(goes_on_, rng_) ? 0 : drawn;
}

void ClassProbe::end_execution(const Schedule& schedule, Ending ending) {
  bookkeeper_.end_execution(schedule, ending);
  if (settling_ || !bookkeeper_.can_pause()) return;
  const bool complete = ending != Ending::abandoned && ending != Ending::cut;
  classes_ = complete ? values_ / chance_of_class(bookkeeper_.order(), rng_) : 0;
}

}  // namespace muster
