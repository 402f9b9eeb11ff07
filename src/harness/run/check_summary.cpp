#include "harness/run/check_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include "base/error.hpp"

namespace muster {
namespace {

struct Mean {
  double sum = 0, most = 0;
  std::uint64_t count = 0;
  void add(double value) {
    sum += value;
    most = std::max(most, value);
    ++count;
  }
  double value() const { return count ? sum / static_cast<double>(count) : 0; }
};

/// The minimal tests by kind of failure, the one of the smallest dimension of each.
std::string smallest(const CheckDefinition& check, const CheckRun& run) {
  std::map<std::string, const Failure*> found;
  for (const Failure& failure : run.failures) {
    const Failure*& best = found[std::string(name(failure.kind))];
    const auto size = [](const Failure& f) {
      std::size_t longest = 0;
      for (const Sequence& column : f.test.columns) longest = std::max(longest, column.size());
      return std::tuple(f.test.columns.size() * longest, f.test.size());
    };
    if (!best || size(failure) < size(*best)) best = &failure;
  }
  std::string text;
  for (const auto& [kind, failure] : found) {
    text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; ", kind, dimension(failure->test),
                        to_text(check, failure->test));
  }
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

}  // namespace

void append_summary(const std::string& path, const CheckDefinition& check, const CheckRun& run) {
  const bool fresh = !std::ifstream(path);
  std::ofstream file(path, std::ios::app);
  if (fresh) {
    file << "check,tests,serial_histories_avg,serial_histories_max,phase1_s_avg,phase1_s_max,pass,fail,undecided,pass_"
            "s_avg,fail_s_avg,executions,seconds,"
            "smallest_failing,failing,histories,linearizable,relaxed,unexplained,largest_factor,undecided_tests\n";
  }
  Mean histories, phase1, passing, failing;
  std::uint64_t undecided = 0, executions = 0, met = 0, linearizable = 0, relaxed = 0, unexplained = 0;
  unsigned largest_factor = 0;
  std::string failing_tests, undecided_tests;
  for (const TestResult& result : run.results) {
    histories.add(static_cast<double>(result.serial_full + result.serial_stuck));
    phase1.add(result.serial_seconds);
    if (result.verdict == TestVerdict::passed)
      passing.add(result.seconds);
    else if (result.verdict == TestVerdict::failed) {
      failing.add(result.seconds);
      failing_tests += fmt::format("{}{}", failing_tests.empty() ? "" : " ", result.number + 1);
    } else {
      ++undecided;
      undecided_tests += fmt::format("{}{}", undecided_tests.empty() ? "" : " ", result.number + 1);
    }
    executions += result.executions + result.serial_executions;
    met += result.histories;
    linearizable += result.linearizable;
    relaxed += result.relaxed;
    unexplained += result.unexplained;
    largest_factor = std::max(largest_factor, result.largest_factor);
  }
  file << fmt::format(
      "{},{},{:.0f},{:.0f},{:.5f},{:.5f},{},{},{},{:.4f},{:.4f},{},{:.2f},\"{}\",{},{},{},{},{},{},{}\n", check.name,
      run.results.size(), histories.value(), histories.most, phase1.value(), phase1.most, passing.count, failing.count,
      undecided, passing.value(), failing.value(), executions, run.seconds, smallest(check, run), failing_tests, met,
      linearizable, relaxed, unexplained, largest_factor, undecided_tests);
  if (!file.flush()) fail("{}: cannot be written", path);
}

}  // namespace muster
