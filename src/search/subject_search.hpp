#pragma once
// The search of one subject: passes with growing bounds, depth-first, reduced to classes or drawn, by the worker that
// has the subject and by those that help it; from the root, or from where an earlier run stopped.

#include <optional>

#include "schedule/rest.hpp"
#include "search/pass_worker.hpp"
#include "search/passes.hpp"

namespace muster {

class SubjectSearch {
 public:
  /// `place.slot` is this worker's; `pass` lies in the slot of the one that has the subject.
  SubjectSearch(SharedPass& pass, const PassWorker::Place& place);
  virtual ~SubjectSearch() = default;
  SubjectSearch(const SubjectSearch&) = delete;
  SubjectSearch& operator=(const SubjectSearch&) = delete;

  /// The search, for the worker that has the subject: the rest that an earlier run has left, if any.
  void search(const Rest* resumed);
  /// Part of it, for one that has nothing else to do; `sites` are those of the worker that has the subject. False if it
  /// came too late.
  bool help(std::uint64_t subject, RacySites& sites);

  /// The bounds of the pass that ended it.
  const DepthFirstBounds& bounds() const { return bounds_; }

 protected:
  /// Executions stand for their classes from now on, as `strategy` makes them.
  virtual void begins_reduced(const ReductionStrategy&) {}
  /// They stand for themselves again.
  virtual void ends_reduced() {}
  virtual void after_job() {}
  /// What was found in the pass says nothing: the program is another one than it seemed.
  virtual void begins_again() {}
  /// Whether what the pass found ends the search.
  virtual bool ends_search() { return false; }
  /// From outside: something is left of the pass.
  virtual void stopped() {}
  /// This worker's part in another one's pass is done, and was settled.
  virtual void helped() {}
  /// False if the search shall not go on.
  virtual bool run_pass(DepthFirstBounds bounds);

  Counters& made() { return place_.slot.progress.made; }
  /// What is left of the pass that was stopped.
  Rest rest();
  bool found_by_drawing() const { return worker_.found_by_drawing(); }
  /// Whether the pass is a reduced one that only replaces the last bound.
  bool is_attempt() const { return reduces_; }

  SharedPass& pass_;
  PassWorker::Place place_;

 private:
  enum class Then : std::uint8_t { next_pass, done, ended };

  PassKind kind() const;
  bool is_portfolio() const { return place_.strategy.kind == StrategyKind::portfolio; }
  void begin(const Rest* resumed);
  bool visit_ends_before(const DepthFirstBounds& bounds) const;
  void draw_only();
  void leave();
  void leave_before(const DepthFirstBounds& bounds);
  Then run_pass_of(const Passes& passes);
  void settle_what_was_covered();
  void grow(Passes& passes);
  bool shall_reduce(const Passes& passes);
  Then try_reduced();
  void run_once();
  ReductionConfig reduction() const;

  PassWorker worker_;
  Rest left_;  // by an earlier run, of the pass that comes next
  DepthFirstBounds bounds_{0, 0};
  std::optional<DepthFirstBounds> left_before_;  // the visit ended before this pass
  // Of a portfolio:
  bool reduces_ = false;      // the pass is reduced, instead of the last bound
  bool not_reduced_ = false;  // that was tried, or does not pay
};

}  // namespace muster
