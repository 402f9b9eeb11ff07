#pragma once
// Phase 2 of a check: makes histories of the marks of its executions, and has each of them judged once.

#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/key_table.hpp"
#include "check/class_recorder.hpp"
#include "check/known_order.hpp"
#include "check/recorder.hpp"
#include "rule/history_judge.hpp"

namespace muster {

class QuasiJudge;
struct CheckOptions;

/// Phase 2: a judge looks at every history.
class ConcurrentRecorder final : public Recorder {
 public:
  ConcurrentRecorder(const CheckDefinition& check, const Test& test, Responses& responses, const RacySites& racy_sites,
                     Columns& columns, HistoryJudge& judge, const Journal& journal, const CheckOptions& options);

  void begin_execution() override;
  bool end_execution(const Execution& execution, const Schedule& schedule, Engine& engine) override;
  bool end_aside() override;

  /// One that has seen nothing yet.
  ConcurrentRecorder fresh() const;

  /// From now on executions stand for their classes, as `strategy` makes them.
  void watch(const ReductionStrategy& strategy) { classes_.emplace(test_, strategy); }

  /// From now on they stand for themselves, and nothing was seen yet.
  void forget_classes();

  std::uint64_t classes = 0;
  bool leaves_out = false;                 // not all histories of some class were judged
  std::vector<ClassRecorder::Turn> turns;  // of an execution that shows the failure, if it is one of a class

  /// What the histories were like, for the result of the test.
  void tell(TestResult& result);
  /// A failure was looked at: the next one counts, even if it is of the same history.
  std::optional<Failure> take_failure() { return std::exchange(failure, std::nullopt); }
  bool tells_histories() const { return tell_histories_; }

 private:
  void mark(ThreadId thread, std::uint32_t operation, Mark mark, std::span<const std::byte> bytes) noexcept override;
  void all_pending_blocked() noexcept override;
  void pass(Tape& tape) noexcept override;

  /// All histories of the class that this execution stands for, and of its cuts where something is stuck.
  void judge_classes(std::span<const Decision> schedule);
  /// The execution that stands for a class, and how much of it.
  struct Shown {
    const ClassRecorder::Cut& cut;
    std::span<const Decision> schedule;
    bool by_callers = false;  // the same execution, with orders that callers add
  };
  void judge_class(const HistoryClass& classed, const Shown& shown);
  void judge_histories(const HistoryClass& classed, const Shown& shown);
  bool judge_each(const HistoryClass& classed, std::uint64_t most, const Shown& shown);
  bool judge_at_once(const HistoryClass& classed, const Shown& shown);
  bool judge_one(const Recorded& history, const Shown& shown);
  bool has_time() const;
  void judge(const Recorded& history, std::span<const Decision> schedule);
  void judge_weakened(std::span<const Decision> schedule);
  /// An execution in which callers can order more than it did.
  struct ByCallers {
    StrongOrder& order;
    std::span<const Decision> schedule;
  };
  void judge_allowed(const HistoryClass& classed, const Recorded& weakened, const ByCallers& by);
  void judge_with_less(const Recorded& history, const Recorded& weakened, const ByCallers& by);
  Recorded least_failing(const Recorded& whole, const Recorded& weakened);
  void judge_closely(const Recorded& history, std::uint64_t key, bool fresh, std::span<const Decision> schedule);
  void count_all(const HistoryClass& classed);
  bool remember(std::uint64_t key);
  /// A history that was not met before.
  void count(std::uint64_t key, bool stuck);
  void keep_told(const Recorded& history, std::uint64_t key);

  /// One failing history is enough, unless all are to be told.
  bool is_over() const { return failure && !tell_histories_; }

  static constexpr std::uint64_t most_of_a_class = 1'000'000;
  static constexpr std::uint64_t most_allowed = 2'000;  // orders that callers may add, where seq_cst is asked each time
  static constexpr std::uint64_t most_counted = 1 << 22;  // in 200 MB

  struct Met {
    std::uint64_t times = 0;
    bool stuck = false;
    std::string text;
  };

  HistoryJudge& judge_;
  const QuasiJudge* quasi_;  // the same, if it is one
  const Journal& journal_;
  const CheckOptions& options_;
  bool tell_histories_;
  KeySet seen_, seen_classes_;
  std::vector<std::uint64_t> passing_;  // keys of the histories of one class
  // Keys of histories that do not pass. One that comes again is judged again: another job of this process, or the rest
  // of the search where all are told, may show it in an execution that comes first.
  std::unordered_set<std::uint64_t> failing_;
  std::vector<MetHistory> all_met_;  // without those whose judge was not asked
  std::optional<ClassRecorder> classes_;
  KnownOrder known_;                  // where atomics have older values
  std::map<std::uint64_t, Met> met_;  // by key of the history
  std::uint64_t histories_ = 0, stuck_histories_ = 0;
  bool more_histories_ = false;  // that were not counted
  unsigned largest_factor_ = 0;
  std::optional<Failure> widest_;
  std::string wrong_;  // with the check, as a judge found within an execution, which no exception may leave
};

}  // namespace muster
