#pragma once
// The search of one subject: passes with growing bounds, depth-first, reduced to classes or drawn, by the worker that
// has the subject and by those that help it; from the root, or from where an earlier run stopped.

#include <optional>

#include "schedule/rest.hpp"
#include "search/pass_worker.hpp"

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

  SharedPass& pass_;
  PassWorker::Place place_;

 private:
  PassKind kind() const;
  void run_once();
  void set_up_along(const std::vector<std::vector<Decision>>& schedules);
  ReductionConfig reduction() const;

  PassWorker worker_;
  Rest left_;  // by an earlier run, of the pass that comes next
  DepthFirstBounds bounds_{0, 0};
  bool nothing_to_do_ = false;  // in this part
};

}  // namespace muster
