#pragma once
// Runs of a test on real threads, in processes that may crash, and that are given up when too many of their threads are
// stuck.

#include <functional>
#include <optional>

#include "base/halt.hpp"
#include "stress/stress_columns.hpp"

namespace muster {

/// What one run gave.
struct StressRun {
  std::size_t number = 0;  // of its plan
  std::vector<StressColumns::Line> lines;
  RunEnd kind = RunEnd::completed;
  std::string broken_invariant;
};

/// What ended the process in which runs were made.
struct StressCrash {
  std::size_t number = 0;  // of the plan that was being run, or the first of its batch
  int signal = 0;
  int code = 0;  // exit code, if there was no signal
};

/// How the runs of all plans ended, if not by themselves.
struct PlansEnd {
  std::optional<StressCrash> crash;
  bool stopped = false;  // by `halt`
};

/// Makes a run for each plan and hands it on, until `take` gives false or `halt` an order. Serial plans whose beginning
/// is known to block are left out.
PlansEnd run_plans(const CheckDefinition& check, const Test& test, const std::vector<StressPlan>& plans,
                   const StressOptions& options, Halt& halt, const std::function<bool(StressRun)>& take);

}  // namespace muster
