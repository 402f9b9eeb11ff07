// Clocks, sleeps and yields. Time is virtual: it passes when somebody looks at it or waits for it.

#include "instrument/time.hpp"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#include "instrument/hook.hpp"

namespace muster {
namespace {

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t real_time_offset = 1'700'000'000 * second;  // the virtual wall clock starts late in 2023

bool is_wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

std::uint64_t nanoseconds(const timespec& t) {
  if (t.tv_sec < 0) return 0;
  return static_cast<std::uint64_t>(t.tv_sec) * second + static_cast<std::uint64_t>(t.tv_nsec);
}

timespec to_timespec(std::uint64_t time) {
  return {static_cast<time_t>(time / second), static_cast<long>(time % second)};
}

std::uint64_t look(clockid_t clock, SiteId site) {
  return engine->time().look(site) + (is_wall_clock(clock) ? real_time_offset : 0);
}

}  // namespace

std::uint64_t virtual_deadline(const timespec& until, clockid_t clock) {
  const std::uint64_t time = nanoseconds(until);
  const std::uint64_t offset = is_wall_clock(clock) ? real_time_offset : 0;
  return time > offset ? time - offset : 0;
}

std::uint64_t virtual_deadline_in(const timespec& duration) { return engine->time().now() + nanoseconds(duration); }

void sleep_until(std::uint64_t deadline, SiteId site) {
  engine->yield_point(EventKind::sleep, site);
  engine->time().sleep_until(deadline);
}

namespace {

int sleep_for(std::uint64_t time, SiteId site) {
  sleep_until(engine->time().now_for_sleep() + time, site);
  return 0;
}

}  // namespace

MUSTER_HOOK int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (!controlled) return MUSTER_REAL(clock_gettime)(clock, out);
  *out = to_timespec(look(clock, MUSTER_SITE));
  return 0;
}
MUSTER_HOOK int gettimeofday(timeval* out, void* zone) noexcept {
  if (!controlled) return MUSTER_REAL(gettimeofday)(out, zone);
  const timespec now = to_timespec(look(CLOCK_REALTIME, MUSTER_SITE));
  *out = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
MUSTER_HOOK time_t time(time_t* out) noexcept {
  if (!controlled) return MUSTER_REAL(time)(out);
  const auto now = static_cast<time_t>(look(CLOCK_REALTIME, MUSTER_SITE) / second);
  if (out) *out = now;
  return now;
}
MUSTER_HOOK int timespec_get(timespec* out, int base) noexcept {
  if (!controlled) return MUSTER_REAL(timespec_get)(out, base);
  *out = to_timespec(look(CLOCK_REALTIME, MUSTER_SITE));
  return base;
}
MUSTER_HOOK clock_t clock() noexcept {
  if (!controlled) return MUSTER_REAL(clock)();
  return static_cast<clock_t>(engine->time().look(MUSTER_SITE) / 1000);
}

namespace {

int yield(SiteId site) {
  if (!controlled) return MUSTER_REAL(sched_yield)();
  engine->yield_point(EventKind::yield, site);
  return 0;
}

}  // namespace

MUSTER_HOOK int sched_yield() noexcept { return yield(MUSTER_SITE); }
MUSTER_HOOK int pthread_yield() noexcept { return yield(MUSTER_SITE); }
MUSTER_HOOK void thrd_yield() { yield(MUSTER_SITE); }

MUSTER_HOOK int nanosleep(const timespec* duration, timespec* left) {
  if (!controlled) return MUSTER_REAL(nanosleep)(duration, left);
  return sleep_for(nanoseconds(*duration), MUSTER_SITE);
}
MUSTER_HOOK int clock_nanosleep(clockid_t clock, int flags, const timespec* when, timespec* left) {
  if (!controlled) return MUSTER_REAL(clock_nanosleep)(clock, flags, when, left);
  if (!(flags & TIMER_ABSTIME)) return sleep_for(nanoseconds(*when), MUSTER_SITE);
  sleep_until(virtual_deadline(*when, clock), MUSTER_SITE);
  return 0;
}
MUSTER_HOOK int usleep(useconds_t microseconds) {
  if (!controlled) return MUSTER_REAL(usleep)(microseconds);
  return sleep_for(microseconds * std::uint64_t{1000}, MUSTER_SITE);
}
MUSTER_HOOK unsigned sleep(unsigned seconds) {
  if (!controlled) return MUSTER_REAL(sleep)(seconds);
  return static_cast<unsigned>(sleep_for(seconds * second, MUSTER_SITE));
}
MUSTER_HOOK int thrd_sleep(const timespec* duration, timespec* left) {
  if (!controlled) return MUSTER_REAL(thrd_sleep)(duration, left);
  return sleep_for(nanoseconds(*duration), MUSTER_SITE);
}

}  // namespace muster
