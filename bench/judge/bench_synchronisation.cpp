// How fast are the judges of synchronisation? Matching on a long channel history; the direct judges beside the two-step
// reduction on the built-in examples, with 2, 4, 8 and 16 threads; and a whole check of a channel.

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>

#include "judge/synchronisation/synchronisation.hpp"
#include "spec/synchronisation_objects.hpp"
#include "synchronisation_histories.hpp"

namespace {

using namespace muster;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Of CPU: others may use the machine as well.
template <class Function>
double seconds(const Function& function) {
  const double start = cpu_seconds();
  function();
  return cpu_seconds() - start;
}

History history_of(const SyncSpec& spec, unsigned threads, std::size_t operations, std::uint64_t seed) {
  return bench::SynchronisationRun(spec, threads, seed).run(operations);
}

void match_long_histories() {
  for (const auto& spec : {channel_spec(), exchanger_spec()}) {
    const History history = history_of(*spec, 8, 100'000, 1);
    SyncVerdict verdict;
    const double time = seconds([&] { verdict = judge_synchronisation(history, *spec); });
    fmt::print("matching   {:<12} {} operations, 8 threads: {:.3f} s{}\n", spec->name(), history.size(), time,
               passes(verdict) ? "" : " NOT EXPLAINED");
  }
}

struct Times {
  double direct = 0, two_step = 0;
  bool decided = true;
};

Times compare(const SyncSpec& spec, unsigned threads) {
  Times times;
  constexpr int most = 20;
  int histories = 0;
  for (; histories < most && times.two_step < 2; ++histories) {  // two seconds are slow enough to see
    const History history = history_of(spec, threads, 4 * threads + 8, static_cast<std::uint64_t>(histories));
    const auto judge = [&](SyncJudge kind) {
      return [&, kind] {
        const SyncVerdict verdict =
            judge_synchronisation(history, spec, {.judge = kind, .limits = {.time = std::chrono::milliseconds(300)}});
        times.decided &= passes(verdict);
      };
    };
    times.direct += seconds(judge(SyncJudge::automatic));
    times.two_step += seconds(judge(SyncJudge::two_step));
  }
  times.direct /= histories;
  times.two_step /= histories;
  return times;
}

void compare_with_two_steps() {
  fmt::print("\nmilliseconds for a history of 4 operations a thread and 8 more, direct / two-step = ratio\n{:<20}",
             "example");
  constexpr unsigned counts[] = {2, 4, 8, 16};
  for (const unsigned threads : counts) fmt::print(" {:>27}", fmt::format("{} threads", threads));
  fmt::print("\n");
  double logs[4] = {};
  int rows[4] = {};
  for (const std::string_view name : synchronisation_spec_names()) {
    fmt::print("{:<20}", name);
    for (int c = 0; c < 4; ++c) {
      const auto spec = find_synchronisation_spec(name, counts[c]);
      if (spec->largest_arity() > counts[c]) {
        fmt::print(" {:>27}", "-");
        continue;
      }
      const Times times = compare(*spec, counts[c]);
      const double ratio = times.two_step / times.direct;
      logs[c] += std::log(ratio);
      ++rows[c];
      fmt::print(" {:>27}", fmt::format("{:.3f} / {:.3f} = {}{:.1f}", times.direct * 1e3, times.two_step * 1e3,
                                        times.decided ? "" : ">", ratio));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  fmt::print("{:<20}", "geometric mean");
  for (int c = 0; c < 4; ++c) fmt::print(" {:>27}", fmt::format("{:.1f}", std::exp(logs[c] / rows[c])));
  fmt::print("\n\n");
}

/// The channel of semaphores (Lowe, Figure 5), from starting the program to its verdict.
void check_a_channel() {
#ifdef MUSTER_SYNCHRONISATION_CHECKS
  const std::string command = std::string(MUSTER_SYNCHRONISATION_CHECKS) +
                              " semaphore_channel --require-exhausted --matrix 'send(1), send(2) | "
                              "send(2), send(1) | receive, receive | receive, receive'";
  const auto start = std::chrono::steady_clock::now();
  const int status = std::system((command + " > /dev/null").c_str());
  const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  fmt::print("a check of a channel, 4 threads x 2 operations, bound 2: {:.2f} s, {:.2f} s of CPU{}\n", time,
             of(used.ru_utime) + of(used.ru_stime), status == 0 ? "" : " NOT EXHAUSTED");
#endif
}

}  // namespace

int main() {
  match_long_histories();
  compare_with_two_steps();
  check_a_channel();
}
