#pragma once
// Checks on real threads, without control: what a class does serially is observed on real threads too, or told by a
// model or a synchronisation spec; then random runs are judged like any other history.

#include "base/halt.hpp"
#include "judge/synchronisation/synchronisation.hpp"
#include "rule/result.hpp"
#include "rule/test_source.hpp"
#include "stress/stress_process.hpp"

namespace muster {

/// How far runs on real threads are.
struct StressProgress {
  std::uint64_t runs = 0;
  std::uint64_t done = 0, count = 0;  // tests of a check, or runs of a scenario
  std::uint64_t findings = 0;
};

struct StressCheckOptions {
  StressOptions stress;
  std::uint64_t runs = 100;  // of each test
  bool classic = false;
  bool keep_going = false;  // all tests, whatever fails
  std::uint64_t most_serial_orders = 20'000;
  SyncOptions synchronisation;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::function<bool()> interrupted;
  std::function<void(const StressProgress&)> progress;  // called now and then
};

/// Failures have no schedule. A result's executions are its concurrent runs.
CheckRun stress_tests(const CheckDefinition& check, const TestSource& source, const StressCheckOptions& options);

/// Every order of the columns' operations in which each comes after those of its column before it, except that nobody
/// waits for asynchronous ones.
std::vector<std::vector<std::uint8_t>> all_serial_orders(const CheckDefinition& check, const Test& test);

}  // namespace muster
