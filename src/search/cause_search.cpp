#include "search/cause_search.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <span>

#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

constexpr std::uint64_t most_steps = 3'000'000;  // of all executions that look for the point of no return

/// Keeps what an execution does while a referee judges it.
class Onlooker final : public Observer {
 public:
  Onlooker(Engine& engine, Observer& referee) : engine_(engine), referee_(referee) {}

  struct Seen : Deed {
    std::uint32_t decisions;  // that were made before
  };
  std::vector<Seen> deeds;
  std::array<std::uint32_t, max_threads> made{};  // by each thread

  bool watches_events() const override { return true; }
  void event(const Event& event) noexcept override {
    if (is_deed(event.kind)) add({event.thread, event.kind, event.object});
  }
  void mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept override {
    if (mark == Mark::ret) add({thread, EventKind::ret, operation});
    referee_.mark(thread, operation, mark, bytes);
  }
  void all_pending_blocked() noexcept override { referee_.all_pending_blocked(); }
  void incident(const Incident& incident) noexcept override { referee_.incident(incident); }

 private:
  void add(const Deed& deed) {
    const OwnWork work;
    deeds.push_back({deed, engine_.journal().schedule.size()});
    ++made[deed.thread];
  }

  Engine& engine_;
  Observer& referee_;
};

/// Decides as it was decided before, one decision after the other: the schedule holds those that were made.
class SameStrategy final : public Strategy {
 public:
  explicit SameStrategy(std::span<const Decision> decisions) : decisions_(decisions) {}

  bool begin_execution(Schedule& schedule) override {
    schedule.truncate(0);
    return true;
  }
  std::uint8_t decide(const Point& point) override {
    if (made_ == decisions_.size()) return 0;
    const std::uint8_t index = decisions_[made_++].index;
    return index < point.options.size() ? index : abandon;
  }

 private:
  std::span<const Decision> decisions_;
  std::size_t made_ = 0;
};

/// Makes the execution in which threads do what they do in a given order, as far as that is possible.
class OrderStrategy final : public Strategy {
 public:
  struct Turn {
    ThreadId thread;
    std::uint32_t deeds;  // of this thread, when the turn is over
  };
  /// `decisions` hold the values that each thread chose, in its order.
  OrderStrategy(std::vector<Turn> turns, std::span<const Decision> decisions, const Onlooker& onlooker)
      : turns_(std::move(turns)), onlooker_(onlooker) {
    for (const Decision& d : decisions) {
      if (d.kind != PointKind::thread && d.kind != PointKind::retry && d.running < max_threads)
        values_[d.running].push_back(d.index);
    }
  }

  bool begin_execution(Schedule& schedule) override {
    schedule.truncate(0);
    return true;
  }

  std::uint8_t decide(const Point& point) override {
    if (point.kind != PointKind::thread) return next_value(point);
    while (at_ < turns_.size() && is_over(turns_[at_])) ++at_;
    for (std::size_t turn = at_; turn < turns_.size(); ++turn) {
      if (is_over(turns_[turn])) continue;
      const auto found = std::ranges::find(point.options, turns_[turn].thread);
      if (found != point.options.end()) return static_cast<std::uint8_t>(found - point.options.begin());
    }
    return go_on_fairly(point);
  }

 private:
  bool is_over(const Turn& turn) const { return onlooker_.made[turn.thread] >= turn.deeds; }

  std::uint8_t next_value(const Point& point) {
    auto& values = values_[point.running];
    if (values.empty() || values.front() >= point.options.size()) return 0;
    const std::uint8_t value = values.front();
    values.pop_front();
    return value;
  }

  /// Behind the end of the order; a thread that waits there for another must not run for ever.
  std::uint8_t go_on_fairly(const Point& point) {
    constexpr unsigned long_enough = 200;
    run_length_ = point.running == last_ ? run_length_ + 1 : 0;
    last_ = point.running;
    if (run_length_ < long_enough) return 0;
    run_length_ = 0;
    return static_cast<std::uint8_t>(point.options.size() - 1);
  }

  std::vector<Turn> turns_;
  const Onlooker& onlooker_;
  std::array<std::deque<std::uint8_t>, max_threads> values_;
  std::size_t at_ = 0;
  ThreadId last_ = no_thread;
  unsigned run_length_ = 0;
};

class CauseSearch {
 public:
  CauseSearch(Engine& engine, Journal& journal, const Program& program, Referee& referee, const CauseQuestion& question)
      : engine_(engine), journal_(journal), program_(program), referee_(referee), question_(question) {}

  CauseAnswer run() {
    warm_up(engine_, journal_, program_);
    CauseAnswer answer;
    if (!show() && !show()) return answer;  // a library may have set itself up
    for (std::uint32_t i = 0; i < question_.conflicts.size(); ++i) {
      if (is_right_reversed(question_.conflicts[i])) answer.decide.push_back(i);
    }
    look_for_no_return(answer);
    return answer;
  }

 private:
  Fate execute(Strategy& strategy, Observer& observer) {
    referee_.begin_execution();
    ending_ = engine_.execute(program_, strategy, observer);
    referee_.end_execution(ending_, journal_.schedule, engine_);
    return referee_.fate();
  }

  /// Makes the execution itself, and notes which decisions its deeds come after. False if it is another one.
  bool show() {
    Onlooker onlooker(engine_, referee_.observer());
    const bool reduced = !question_.schedule.empty() && question_.schedule.front().reduced;
    SameStrategy same_decisions(question_.schedule);
    const std::span<const Deed> done = std::span(question_.deeds).first(question_.done);
    OrderStrategy order(turns_of(done), question_.schedule, onlooker);
    Strategy& strategy = reduced ? static_cast<Strategy&>(order) : same_decisions;
    strategy.begin_execution(journal_.schedule);
    if (execute(strategy, onlooker) != Fate::wrong) return false;
    const auto decisions = journal_.schedule.decisions();
    schedule_.assign(decisions.begin(), decisions.end());
    for (Decision& decision : schedule_) decision.limit = static_cast<std::uint8_t>(decision.index + 1);
    deeds_ = std::move(onlooker.deeds);
    const auto same = [](const Deed& a, const Deed& b) { return a.thread == b.thread && a.kind == b.kind; };
    return std::ranges::equal(deeds_, done, same);
  }

  static std::vector<OrderStrategy::Turn> turns_of(std::span<const Deed> deeds) {
    std::array<std::uint32_t, max_threads> made{};
    std::vector<OrderStrategy::Turn> turns;
    for (const Deed& deed : deeds) turns.push_back({deed.thread, ++made[deed.thread]});
    return turns;
  }

  /// Whoever makes the first deed of the conflict is kept from it until the second is done.
  bool is_right_reversed(const Conflict& conflict) {
    const std::vector<OrderStrategy::Turn> all = turns_of(question_.deeds);
    std::vector<OrderStrategy::Turn> turns(all.begin(), all.begin() + conflict.first);
    const ThreadId held = all[conflict.first].thread;
    for (std::uint32_t i = conflict.first; i <= conflict.second; ++i) {
      if (all[i].thread != held) turns.push_back(all[i]);
    }
    turns.insert(turns.end(), all.begin() + conflict.first, all.end());
    Onlooker onlooker(engine_, referee_.observer());
    OrderStrategy strategy(std::move(turns), question_.schedule, onlooker);
    strategy.begin_execution(journal_.schedule);
    return execute(strategy, onlooker) == Fate::right && is_reversed(conflict, all, onlooker.deeds);
  }

  /// Whether both deeds were done, the second one first.
  bool is_reversed(const Conflict& conflict, const std::vector<OrderStrategy::Turn>& turns,
                   const std::vector<Onlooker::Seen>& seen) const {
    const auto place_of = [&](std::uint32_t deed) -> std::optional<std::size_t> {
      const Deed& wanted = question_.deeds[deed];
      std::uint32_t made = 0;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        if (seen[i].thread != wanted.thread || ++made < turns[deed].deeds) continue;
        return seen[i].object == wanted.object ? std::optional(i) : std::nullopt;
      }
      return std::nullopt;
    };
    const auto first = place_of(conflict.first), second = place_of(conflict.second);
    return first && second && *second < *first;
  }

  /// From the last decision backwards, every other way to go on is tried to its end: where the first one comes out
  /// right, everything behind that decision is known not to.
  void look_for_no_return(CauseAnswer& answer) {
    const std::uint64_t begun_at = journal_.steps;
    std::uint64_t made = 0;
    const auto has_budget = [&] {
      return ++made <= question_.most_executions && journal_.steps - begun_at < most_steps;
    };
    for (std::size_t at = schedule_.size(); at-- > 0;) {
      for (std::uint8_t option = 0; option < schedule_[at].count; ++option) {
        if (option == schedule_[at].index) continue;
        const Fate fate = fate_after(at, option, has_budget);
        if (fate == Fate::right) answer.no_return = deed_after(at);
        if (fate != Fate::wrong) return;
      }
    }
    answer.hopeless = true;
  }

  /// Of all executions that decide so there: one that comes out right, if there is any.
  template <class HasBudget>
  Fate fate_after(std::size_t at, std::uint8_t option, const HasBudget& has_budget) {
    std::vector<Decision> prefix(schedule_.begin(), schedule_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    prefix.back().index = option;
    prefix.back().limit = static_cast<std::uint8_t>(option + 1);
    journal_.schedule.assign(prefix);
    DepthFirstStrategy strategy({DepthFirstBounds::unbounded, question_.late_yields},
                                DepthFirstStrategy::Start::with_schedule);
    while (strategy.begin_execution(journal_.schedule)) {
      if (!has_budget()) return Fate::undecided;
      const Fate fate = execute(strategy, referee_.observer());
      if (fate == Fate::right || fate == Fate::undecided) return fate;
    }
    return Fate::wrong;
  }

  /// What a decision leads to: a waiter is chosen by the notification itself, which was told before.
  std::optional<std::uint32_t> deed_after(std::size_t decision) const {
    auto found = std::ranges::find_if(deeds_, [&](const Onlooker::Seen& d) { return d.decisions > decision; });
    if (schedule_[decision].kind == PointKind::waiter && found != deeds_.begin()) --found;
    if (found == deeds_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - deeds_.begin());
  }

  Engine& engine_;
  Journal& journal_;
  const Program& program_;
  Referee& referee_;
  const CauseQuestion& question_;
  Execution ending_{};
  std::vector<Decision> schedule_;  // of the execution to explain; a search leaves them as they are
  std::vector<Onlooker::Seen> deeds_;
};

void visit(Archive& archive, CauseAnswer& answer) {
  archive.field(answer.no_return);
  archive.field(answer.decide);
  archive.field(answer.hopeless);
}

}  // namespace

std::vector<std::byte> CauseAnswer::encode() const {
  Archive archive;
  visit(archive, const_cast<CauseAnswer&>(*this));
  return std::move(archive.bytes);
}

CauseAnswer CauseAnswer::decode(std::span<const std::byte> bytes) {
  CauseAnswer answer;
  Archive archive(bytes);
  visit(archive, answer);
  return answer;
}

CauseAnswer find_cause(Engine& engine, Journal& journal, const Program& program, Referee& referee,
                       const CauseQuestion& question) {
  return CauseSearch(engine, journal, program, referee, question).run();
}

}  // namespace muster
