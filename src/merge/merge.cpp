#include "merge/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace muster {
namespace {

void add(std::vector<std::string>& all, const std::vector<std::string>& more) {
  std::copy_if(more.begin(), more.end(), std::back_inserter(all),
               [&](const std::string& text) { return std::find(all.begin(), all.end(), text) == all.end(); });
}

void add(CoverageReport& sum, const CoverageReport& part) {
  sum.Tally::add(part);
  sum.complete += part.complete;
  sum.tests_run += part.tests_run;
  sum.tests_known = std::max(sum.tests_known, part.tests_known);
  sum.seconds = std::max(sum.seconds, part.seconds);  // shards run side by side
  sum.executions_left += part.executions_left;
  sum.exhausted &= part.exhausted;
  sum.sampled &= part.sampled;
  sum.all_schedules &= part.all_schedules;
  sum.some_bound_exhausted &= part.some_bound_exhausted;
  sum.unbounded &= part.unbounded;
  if (sum.symmetry.empty()) sum.symmetry = part.symmetry;
  sum.preemptions = std::min(sum.preemptions, part.preemptions);
  sum.late_yields = std::min(sum.late_yields, part.late_yields);
  add(sum.opaque_libraries, part.opaque_libraries);
  add(sum.unwatched_calls, part.unwatched_calls);
  add(sum.weak_orders, part.weak_orders);
  add(sum.allocators, part.allocators);
  add(sum.notes, part.notes);
  add(sum.warnings, part.warnings);
}

/// The same thing found by two shards is told once.
bool same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.sentence == b.sentence && a.test == b.test;
}

/// Parts of different lists of tests, or of searches with different bounds, are no whole. A failure stands for itself,
/// and may have been found in a test that was saved.
void demand_same_run(const Result& whole, const Result& part) {
  if (whole.outcome == Outcome::failed || part.outcome == Outcome::failed) return;
  const auto searched = [](const Result& result) {
    const CoverageReport& coverage = result.coverage;
    std::string bound = coverage.unbounded ? "unbounded" : fmt::format("at most {} preemptions", coverage.preemptions);
    return fmt::format("{}{}strategy {}, {}", coverage.tests, coverage.tests.empty() ? "" : ", ", coverage.strategy,
                       coverage.exhausted ? bound : "not exhausted");
  };
  if (whole.coverage.tests != part.coverage.tests || whole.coverage.strategy != part.coverage.strategy ||
      (whole.coverage.exhausted && part.coverage.exhausted &&
       (whole.coverage.unbounded != part.coverage.unbounded ||
        whole.coverage.preemptions != part.coverage.preemptions)))
    fail("{}: one report is of {} and another of {}: merge the reports of one run", whole.subject, searched(whole),
         searched(part));
}

/// A shard that had nothing to do takes nothing from the others.
bool nothing_fell_to(const Result& part) { return part.coverage.exhausted && part.coverage.executions == 0; }

void add(Result& whole, const Result& part) {
  whole.coverage.part.clear();
  if (nothing_fell_to(part)) return;
  if (nothing_fell_to(whole)) {
    whole = part;
    whole.coverage.part.clear();
    return;
  }
  demand_same_run(whole, part);
  for (const Finding& finding : part.findings) {
    if (std::none_of(whole.findings.begin(), whole.findings.end(), [&](const Finding& f) { return same(f, finding); }))
      whole.findings.push_back(finding);
  }
  whole.outcome = worse(whole.outcome, part.outcome);
  if (whole.stopped.empty()) whole.stopped = part.stopped;
  if (whole.summary.empty()) whole.summary = part.summary;
  add(whole.coverage, part.coverage);
}

void add_shards(Report& whole, const Report& part) {
  if (whole.shard_count != part.shard_count)
    fail("one report is of {} shards and another of {}: merge the reports of one run", whole.shard_count,
         part.shard_count);
  for (const unsigned shard : part.shards) {
    if (std::find(whole.shards.begin(), whole.shards.end(), shard) != whole.shards.end())
      fail("shard {} of {} is in two of the reports: a shard counts once", shard, whole.shard_count);
    whole.shards.push_back(shard);
  }
  std::sort(whole.shards.begin(), whole.shards.end());
}

/// A part that nobody has seen is no pass.
void demand_all_shards(Report& report) {
  std::vector<unsigned> missing;
  for (unsigned shard = 1; shard <= report.shard_count; ++shard) {
    if (!std::binary_search(report.shards.begin(), report.shards.end(), shard)) missing.push_back(shard);
  }
  if (missing.empty()) return;
  Result absent;
  absent.subject = "shards";
  absent.source = SubjectKind::merge;
  absent.outcome = Outcome::undecided;
  absent.summary = fmt::format("shard{} {} of {} {} in none of the reports", missing.size() == 1 ? "" : "s",
                               fmt::join(missing, ", "), report.shard_count, missing.size() == 1 ? "is" : "are");
  report.results.push_back(std::move(absent));
}

}  // namespace

Report merge(const std::vector<Report>& parts) {
  Report whole;
  for (const Report& part : parts) {
    if (&part == &parts.front()) {
      whole.program = part.program;
      whole.shard_count = part.shard_count;
    }
    add_shards(whole, part);
    for (const Result& result : part.results) {
      const auto known = std::find_if(whole.results.begin(), whole.results.end(), [&](const Result& r) {
        return r.subject == result.subject && r.source == result.source;
      });
      if (known == whole.results.end())
        whole.results.push_back(result);
      else
        add(*known, result);
    }
  }
  demand_all_shards(whole);
  return whole;
}

}  // namespace muster
