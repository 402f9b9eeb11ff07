#include "check/minimise.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rule/column_roles.hpp"
#include "rule/quasi_judge.hpp"
#include "rule/test_source.hpp"
#include "schedule/depth_first_strategy.hpp"

namespace muster {
namespace {

using Places = std::vector<unsigned>;

/// Every test with one operation less, and without what takes its handle.
std::vector<Test> removals(const Test& test) {
  std::vector<Test> smaller;
  const Arrangement all = arrangement_of(test);
  const auto without = [&](auto&& places_of, std::size_t position) {
    Arrangement candidate = all;
    Places& places = places_of(candidate);
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(position));
    Test arranged = arrange(test, candidate);
    if (!arranged.columns.empty()) smaller.push_back(std::move(arranged));
  };
  for (std::size_t i = all.last.size(); i-- > 0;) without([](Arrangement& t) -> Places& { return t.last; }, i);
  for (std::size_t c = all.columns.size(); c-- > 0;) {
    for (std::size_t i = all.columns[c].size(); i-- > 0;)
      without([c](Arrangement& t) -> Places& { return t.columns[c]; }, i);
  }
  for (std::size_t i = all.first.size(); i-- > 0;) without([](Arrangement& t) -> Places& { return t.first; }, i);
  return smaller;
}

/// The role that the calls of a column ask for; -1: none.
int role_of_column(const CheckDefinition& check, const Sequence& column) {
  int role = -1;
  for (const TestCall& call : column) role = std::max(role, role_of(check, call.invocation));
  return role;
}

/// Whether one thread may make the calls of both: it has one role at most, or the one that both have.
bool may_share_a_thread(const CheckDefinition& check, const Sequence& a, const Sequence& b) {
  const int first = role_of_column(check, a), second = role_of_column(check, b);
  return first < 0 || second < 0 || first == second;
}

/// Every test in which the first operation of a column comes before all columns. One with a role stays with its thread.
std::vector<Test> moves(const CheckDefinition& check, const Test& test) {
  std::vector<Test> moved;
  for (std::size_t c = 0; c < test.columns.size(); ++c) {
    if (role_of(check, test.columns[c].front().invocation) >= 0) continue;
    Arrangement candidate = arrangement_of(test);
    candidate.first.push_back(candidate.columns[c].front());
    candidate.columns[c].erase(candidate.columns[c].begin());
    Test arranged = arrange(test, candidate);
    if (arranged.columns.size() > 1) moved.push_back(std::move(arranged));
  }
  return moved;
}

/// Every test in which one thread makes the calls of two, one after the other.
std::vector<Test> merges(const CheckDefinition& check, const Test& test) {
  std::vector<Test> merged;
  for (std::size_t a = 0; a < test.columns.size() && test.columns.size() > 2; ++a) {
    for (std::size_t b = 0; b < test.columns.size(); ++b) {
      if (a == b || !may_share_a_thread(check, test.columns[a], test.columns[b])) continue;
      Arrangement candidate = arrangement_of(test);
      const Places second = candidate.columns[b];
      candidate.columns[a].insert(candidate.columns[a].end(), second.begin(), second.end());
      candidate.columns.erase(candidate.columns.begin() + static_cast<std::ptrdiff_t>(b));
      merged.push_back(arrange(test, candidate));
    }
  }
  return merged;
}

}  // namespace

Failure minimise(CheckBench& bench, Failure failure, const std::function<void(const Failure&)>& better) {
  const unsigned bound = bench.options.strategy.preemptions;
  bool all_decided = true;
  const std::string displacement =
      QuasiRequest(bench.check, bench.options.quasi, bench.options.quasi_spec).displacement();
  std::optional<Removals> taken_out;
  if (!displacement.empty()) taken_out.emplace(bench.check, displacement);
  const auto try_all = [&](const std::vector<Test>& candidates) {
    all_decided = true;
    for (const Test& candidate : candidates) {
      if (taken_out && !taken_out->drain(candidate)) continue;
      TestResult result = check_test(bench, candidate);
      // Failures of one kind are about the same thing; a nondeterminism must not turn into a crash.
      if (result.verdict == TestVerdict::failed && result.failure->kind == failure.kind) {
        failure = std::move(*result.failure);
        better(failure);
        return true;
      }
      all_decided &= result.verdict != TestVerdict::undecided;
    }
    return false;
  };
  // Smaller bounds first: most failures need few preemptions, and the searches at those bounds are short. Without a
  // bound there is nothing to count up to.
  const unsigned least = bound >= DepthFirstBounds::unbounded ? bound : failure.bound;
  for (bench.options.strategy.preemptions = least; bench.options.strategy.preemptions <= bound;
       ++bench.options.strategy.preemptions) {
    while (try_all(removals(failure.test))) {
    }
  }
  bench.options.strategy.preemptions = bound;
  failure.minimal = all_decided;
  bool moved = false;
  while (try_all(merges(bench.check, failure.test)) || try_all(moves(bench.check, failure.test))) moved = true;
  if (moved) {
    while (try_all(removals(failure.test))) {
    }
    failure.minimal = all_decided;
  }
  // One that was drawn may have more preemptions than it needs. The search begins without any.
  if (failure.preemptions > failure.bound) {
    constexpr std::uint64_t most_executions = 20'000;
    const bool minimal = failure.minimal;
    bench.options.strategy.preemptions = failure.preemptions - 1;
    bench.options.strategy.most_executions = most_executions;
    try_all({failure.test});
    bench.options.strategy.preemptions = bound;
    bench.options.strategy.most_executions = 0;
    failure.minimal = minimal;
  }
  return failure;
}

}  // namespace muster
