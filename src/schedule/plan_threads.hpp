#pragma once
// The threads of a plan, and which threads of an execution they are: they are known by who makes them where.

#include <optional>
#include <string>
#include <vector>

#include "base/event.hpp"
#include "base/plan.hpp"

namespace muster {

class PlanThreads {
 public:
  /// Throws Error if the plan speaks of a thread that nobody makes.
  explicit PlanThreads(const Plan& plan);

  void begin_execution();
  /// `parent` makes `child` with its event of this number.
  void forked(ThreadId parent, std::uint64_t event, ThreadId child);
  /// The same where numbers of events say nothing: threads made at one place are made in the same order, if not by the
  /// same thread.
  void forked_at(ThreadId parent, const std::string& location, ThreadId child);

  std::uint32_t number_of(const std::string& name) const;
  /// Which thread of the plan a model thread is; nothing if none.
  std::optional<std::uint32_t> planned(ThreadId thread) const;
  /// Which model thread it is; `no_thread` before it is made.
  ThreadId model(std::uint32_t number) const { return model_[number]; }
  bool exists(ThreadId thread) const { return planned(thread).has_value(); }

 private:
  struct Fork {
    std::uint32_t child, parent;
    std::uint64_t event;
    std::string location;
  };
  std::uint32_t add(const std::string& name);
  template <class Matches>
  bool take_first(ThreadId child, Matches matches);

  std::vector<std::string> names_;  // the first is the one that runs the program's body
  std::vector<Fork> forks_;         // of each parent in the order of its events
  std::vector<ThreadId> model_;     // in this execution, by thread of the plan
};

}  // namespace muster
