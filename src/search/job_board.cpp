#include "search/job_board.hpp"

#include <algorithm>

namespace muster {
namespace {

constexpr auto is_smaller = [](const auto& a, const auto& b) { return a.executions < b.executions; };

}  // namespace

std::vector<Decision> job_under_way(const Schedule& schedule) {
  auto decisions = schedule.decisions();
  const auto is_told = [](const Decision& d) { return d.index > 0 || d.limit < d.count; };
  while (!decisions.empty() && !is_told(decisions.back())) decisions = decisions.first(decisions.size() - 1);
  return {decisions.begin(), decisions.end()};
}

void JobBoard::start(unsigned workers) {
  heap_.clear();
  begin(workers, 0);
  post({});
}

void JobBoard::start_alone() {
  begin_alone();
  heap_.clear();
}

bool JobBoard::post(const std::vector<Decision>& job, double executions) {
  if (job.size() > longest_job) return false;
  const Lock lock(*this);
  if (waiting_jobs_ == slots) return false;
  Job& posted = jobs_[waiting_jobs_];
  if (!heap_.reserve(posted.decisions, job.size())) return false;
  posted.executions = static_cast<float>(executions);
  std::copy(job.begin(), job.end(), heap_.at(posted.decisions));
  std::push_heap(jobs_, jobs_ + ++waiting_jobs_, is_smaller);
  return true;
}

std::optional<std::vector<Decision>> JobBoard::take() {
  for (;; short_sleep()) {
    const Lock lock(*this);
    if (is_over()) return std::nullopt;
    if (waiting_jobs_ == 0) continue;
    std::pop_heap(jobs_, jobs_ + waiting_jobs_, is_smaller);
    Job& job = jobs_[--waiting_jobs_];
    taken();
    auto decisions = decisions_of(job);
    heap_.release(job.decisions);
    return decisions;
  }
}

std::vector<Decision> JobBoard::decisions_of(const Job& job) const {
  const Decision* first = heap_.at(job.decisions);
  return {first, first + job.decisions.size};
}

std::vector<std::vector<Decision>> JobBoard::remaining() const {
  std::vector<std::vector<Decision>> jobs;
  for (unsigned i = 0; i < waiting_jobs_; ++i) jobs.push_back(decisions_of(jobs_[i]));
  return jobs;
}

}  // namespace muster
