#pragma once
// Which thread a report calls A: the one of the test's first column, also where the object started threads of its own
// before.

#include "harness/steps/replayed.hpp"
#include "rule/test.hpp"

namespace muster {

class ColumnOrder {
 public:
  /// As the calls in an execution of the test show it.
  ColumnOrder(const Test& test, const std::vector<TracedEvent>& events);

  /// Numbers the threads of columns first, then the object's.
  void apply(Replayed& replayed) const;
  void apply(Incident& incident) const;
  bool object_has_threads() const { return before_ > 0; }

 private:
  ThreadId number(ThreadId thread) const;

  unsigned columns_;
  unsigned before_ = 0;  // threads that were started before those of the columns
};

}  // namespace muster
