#include "explore/job_board.hpp"

#include <sys/syscall.h>
#include <time.h>

#include <algorithm>

namespace muster {

/// Workers trap whatever sleeps in the kernel, unless the call stands in the runtime's own code: so not through the C library.
void short_sleep() {
  const timespec pause{0, 50'000};
  long result = SYS_nanosleep;
  asm volatile("syscall" : "+a"(result) : "D"(&pause), "S"(nullptr) : "rcx", "r11", "memory");
}

void JobBoard::start(unsigned workers) {
  workers_ = workers;
  idle_ = workers;
  stopped_ = false;
  jobs_[0].size = 0;
  waiting_jobs_ = 1;
}

void JobBoard::start_alone() {
  lock();
  while (workers_ > 1) {  // whom a worker that died has left behind
    unlock();
    short_sleep();
    lock();
  }
  workers_ = 1;
  idle_ = waiting_jobs_ = 0;
  stopped_ = false;
  open_ = true;
  unlock();
}

bool JobBoard::join() {
  lock();
  const bool joined = open_ && !stopped_;
  if (joined) ++workers_, ++idle_;
  unlock();
  return joined;
}

void JobBoard::leave() {
  lock();
  --workers_, --idle_;
  unlock();
}

void JobBoard::close() {
  for (;;) {
    lock();
    const bool alone = workers_ == 1;
    if (alone) open_ = false;
    unlock();
    if (alone) return;
    short_sleep();
  }
}

void JobBoard::lock() {
  while (__atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0) short_sleep();
}

void JobBoard::unlock() { __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE); }

bool JobBoard::hungry() const {
  return __atomic_load_n(&idle_, __ATOMIC_RELAXED) > __atomic_load_n(&waiting_jobs_, __ATOMIC_RELAXED);
}

bool JobBoard::post(const std::vector<Decision>& job) {
  if (job.size() > longest_job) return false;
  lock();
  const bool room = waiting_jobs_ < slots;
  if (room) {
    Job& slot = jobs_[waiting_jobs_++];
    slot.size = static_cast<std::uint32_t>(job.size());
    std::copy(job.begin(), job.end(), slot.decisions);
  }
  unlock();
  return room;
}

std::optional<std::vector<Decision>> JobBoard::take() {
  for (;;) {
    lock();
    if (stopped_ || (waiting_jobs_ == 0 && idle_ == workers_)) {
      unlock();
      return std::nullopt;
    }
    if (waiting_jobs_ > 0) {
      const Job& job = jobs_[--waiting_jobs_];
      std::vector<Decision> taken(job.decisions, job.decisions + job.size);
      --idle_;
      unlock();
      return taken;
    }
    unlock();
    short_sleep();
  }
}

std::vector<std::vector<Decision>> JobBoard::remaining() const {
  std::vector<std::vector<Decision>> jobs;
  for (unsigned i = 0; i < waiting_jobs_; ++i) jobs.emplace_back(jobs_[i].decisions, jobs_[i].decisions + jobs_[i].size);
  return jobs;
}

void JobBoard::done() {
  lock();
  ++idle_;
  unlock();
}

}  // namespace muster
