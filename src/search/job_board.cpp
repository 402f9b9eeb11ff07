#include "search/job_board.hpp"

#include <algorithm>

namespace muster {

std::vector<Decision> job_under_way(const Schedule& schedule) {
  auto decisions = schedule.decisions();
  const auto is_told = [](const Decision& d) { return d.index > 0 || d.limit < d.count; };
  while (!decisions.empty() && !is_told(decisions.back())) decisions = decisions.first(decisions.size() - 1);
  return {decisions.begin(), decisions.end()};
}

void JobBoard::start(unsigned workers) {
  jobs_[0].size = 0;
  begin(workers, 1);
}

bool JobBoard::post(const std::vector<Decision>& job) {
  if (job.size() > longest_job) return false;
  const Lock lock(*this);
  if (waiting_jobs_ == slots) return false;
  Job& slot = jobs_[waiting_jobs_++];
  slot.size = static_cast<std::uint32_t>(job.size());
  std::copy(job.begin(), job.end(), slot.decisions);
  return true;
}

std::optional<std::vector<Decision>> JobBoard::take() {
  for (;; short_sleep()) {
    const Lock lock(*this);
    if (is_over()) return std::nullopt;
    if (waiting_jobs_ == 0) continue;
    const Job& job = jobs_[--waiting_jobs_];
    --idle_;
    return std::vector<Decision>(job.decisions, job.decisions + job.size);
  }
}

std::vector<std::vector<Decision>> JobBoard::remaining() const {
  std::vector<std::vector<Decision>> jobs;
  for (unsigned i = 0; i < waiting_jobs_; ++i)
    jobs.emplace_back(jobs_[i].decisions, jobs_[i].decisions + jobs_[i].size);
  return jobs;
}

}  // namespace muster
