#include "search/shared_work.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <utility>

namespace muster {
namespace {

// A piece in stock takes about so long: less often than that nobody has to look for one. One that somebody waits for
// takes a few times as long as going to where it begins.
constexpr double seconds_in_stock = 0.5, seconds_in_need = 0.002;
constexpr double least_executions = 1;
constexpr unsigned stock_for_each = 2;

/// Found out before any worker traps calls of the kernel.
const unsigned processors = [] {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(std::max(1, CPU_COUNT(&set))) : 1u;
}();

std::int64_t nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace

/// Workers trap whatever sleeps in the kernel, unless the call stands in the runtime's own code: so not through the C
/// library.
void short_sleep() {
  const timespec pause{0, 50'000};
  long result = SYS_nanosleep;
  asm volatile("syscall" : "+a"(result) : "D"(&pause), "S"(nullptr) : "rcx", "r11", "memory");
}

void SharedWork::begin(unsigned workers, unsigned jobs) {
  idle_ = workers_ = 0;
  set_workers(workers, workers);
  waiting_jobs_ = jobs;
  stopped_ = false;
}

void SharedWork::begin_alone() {
  lock();
  while (workers_ > 1) {  // whom a worker that died has left behind
    unlock();
    short_sleep();
    lock();
  }
  set_workers(1, 0);
  waiting_jobs_ = 0;
  stopped_ = false;
  open_ = true;
  unlock();
}

/// Under the lock. The time until now is counted as it was until now.
void SharedWork::set_workers(unsigned workers, unsigned idle) {
  const std::int64_t now = nanoseconds();
  const unsigned busy = workers_ - idle_;
  if (busy > 0 && idle_ > 0) {
    const double pace = busy > processors ? static_cast<double>(processors) / busy : 1;
    idle_seconds_ += static_cast<double>(now - counted_until_) * 1e-9 * pace * idle_;
  }
  counted_until_ = now;
  workers_ = workers;
  __atomic_store_n(&idle_, idle, __ATOMIC_RELAXED);
  stock_ = std::max(wanted_stock_, workers > 1 ? stock_for_each * workers : 0);
}

void SharedWork::tell_rate(double executions_per_second) {
  smallest_piece_ = std::max(least_executions, seconds_in_need * executions_per_second);
  stock_piece_ = std::max(least_executions, seconds_in_stock * executions_per_second);
}

double SharedWork::take_idle_seconds() {
  const Lock lock(*this);
  return std::exchange(idle_seconds_, 0);
}

bool SharedWork::join() {
  const Lock lock(*this);
  const bool joined = open_ && !stopped_;
  if (joined) set_workers(workers_ + 1, idle_ + 1);
  return joined;
}

void SharedWork::leave() {
  const Lock lock(*this);
  set_workers(workers_ - 1, idle_ - 1);
}

void SharedWork::close() {
  for (;;) {
    lock();
    const bool alone = workers_ == 1;
    if (alone) open_ = false;
    unlock();
    if (alone) return;
    short_sleep();
  }
}

void SharedWork::shut() {
  const Lock lock(*this);
  open_ = false;
  stop();
}

void SharedWork::lock() {
  constexpr int attempts_before_sleep = 64;  // what it protects takes less time than falling asleep
  for (int attempt = 0; __atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0; ++attempt) {
    if (attempt < attempts_before_sleep)
      __builtin_ia32_pause();
    else
      short_sleep();
  }
}

void SharedWork::unlock() { __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE); }

void SharedWork::done() {
  const Lock lock(*this);
  set_workers(workers_, idle_ + 1);
}

}  // namespace muster
