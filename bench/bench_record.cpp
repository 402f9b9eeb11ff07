// How much does recording slow a lock-heavy program, beside the same program alone and under libtsan?
//
// The program is compiled three times from this file: alone, with a call of the recorder's hooks before every access
// and around every lock, as instrumentation would make them, and with -fsanitize=thread.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#ifdef MUSTER_BENCH_RECORD
#include "record/hooks.h"
#endif

namespace {

#ifdef MUSTER_BENCH_RECORD
[[gnu::always_inline]] inline const void* here() { return __builtin_return_address(0); }
template <class T>
T load(const T& value) {
  muster_record_access(&value, sizeof value, MUSTER_READ, here());
  return value;
}
template <class T>
void store(T& variable, T value) {
  muster_record_access(&variable, sizeof variable, MUSTER_WRITE, here());
  variable = value;
}
void lock(std::mutex& mutex) {
  mutex.lock();
  muster_record_lock(&mutex, 0, here());
}
void unlock(std::mutex& mutex) {
  muster_record_unlock(&mutex, 0, here());
  mutex.unlock();
}
#else
template <class T>
T load(const T& value) {
  return *const_cast<const volatile T*>(&value);
}
template <class T>
void store(T& variable, T value) {
  *const_cast<volatile T*>(&variable) = value;
}
void lock(std::mutex& mutex) { mutex.lock(); }
void unlock(std::mutex& mutex) { mutex.unlock(); }
#endif

struct Account {
  std::mutex mutex;
  long balance = 100, transfers = 0;
};

constexpr unsigned threads = 4, accounts = 64;

/// Transfers under two locks each, a dozen accesses a transfer.
void transfer_often(std::array<Account, accounts>& bank, unsigned seed, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    seed = seed * 1664525 + 1013904223;
    const unsigned from = seed >> 26, to = (seed >> 20) % accounts;
    if (from == to) continue;
    Account &first = bank[std::min(from, to)], &second = bank[std::max(from, to)];
    lock(first.mutex);
    lock(second.mutex);
    if (load(bank[from].balance) > 0) {
      store(bank[from].balance, load(bank[from].balance) - 1);
      store(bank[to].balance, load(bank[to].balance) + 1);
    }
    store(bank[from].transfers, load(bank[from].transfers) + 1);
    store(bank[to].transfers, load(bank[to].transfers) + 1);
    unlock(second.mutex);
    unlock(first.mutex);
  }
}

double run(int rounds) {
  std::array<Account, accounts> bank;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) running.emplace_back([&, i] { transfer_often(bank, i, rounds); });
  for (std::thread& thread : running) thread.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int rounds = 500'000;
  if (argc > 1 && std::strcmp(argv[1], "--time") == 0) {
#ifdef MUSTER_BENCH_RECORD
    const std::string path = "/tmp/muster-bench-record-" + std::to_string(::getpid()) + ".trace";
    if (muster_record_start(path.c_str()) != 0) return 2;
#endif
    double best = run(rounds);
    for (int again = 0; again < 2; ++again) best = std::min(best, run(rounds));
#ifdef MUSTER_BENCH_RECORD
    muster_record_stop();
    std::remove(path.c_str());
#endif
    std::printf("%f\n", best);
    return 0;
  }
  const std::string self = argv[0];
  double alone = 0;
  for (const char* variant : {"", "_hooks", "_tsan"}) {
    std::FILE* const output = ::popen((self + variant + " --time").c_str(), "r");
    double seconds = 0;
    if (!output || std::fscanf(output, "%lf", &seconds) != 1) return 2;
    ::pclose(output);
    if (alone == 0) alone = seconds;
    std::printf("%-28s %7.3f s  %5.1f x\n",
                *variant == 0       ? "alone"
                : variant[1] == 'h' ? "recorded"
                                    : "libtsan",
                seconds, seconds / alone);
  }
}
