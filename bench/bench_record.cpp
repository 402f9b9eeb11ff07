// How much does recording slow a lock-heavy program, beside the same program alone and under libtsan?
//
// The program is compiled three times from this file: alone, by muster_add_program, and with -fsanitize=thread.

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

// Each is an access, whatever the compiler knows about the value.
long load(const long& value) {
  asm volatile("" ::: "memory");
  return value;
}
void store(long& variable, long value) {
  variable = value;
  asm volatile("" ::: "memory");
}

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
    const std::lock_guard outer(first.mutex), inner(second.mutex);
    if (load(bank[from].balance) > 0) {
      store(bank[from].balance, load(bank[from].balance) - 1);
      store(bank[to].balance, load(bank[to].balance) + 1);
    }
    store(bank[from].transfers, load(bank[from].transfers) + 1);
    store(bank[to].transfers, load(bank[to].transfers) + 1);
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

struct Variant {
  const char* suffix;
  const char* name;
};
constexpr Variant variants[] = {{"", "alone"}, {"_muster", "recorded"}, {"_tsan", "libtsan"}};

/// The best of three runs, timed by the program itself.
double time_of(const std::string& program, const std::string& trace) {
  ::setenv("MUSTER_RECORD", trace.c_str(), 1);  // heard by the one that can record
  double best = 0;
  for (int again = 0; again < 3; ++again) {
    std::FILE* const output = ::popen((program + " --time").c_str(), "r");
    double seconds = 0;
    if (!output || std::fscanf(output, "%lf", &seconds) != 1) return 0;
    ::pclose(output);
    best = again == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--time") == 0) {
    std::printf("%f\n", run(400'000));
    return 0;
  }
  const std::string trace =
      std::filesystem::temp_directory_path() / ("muster-bench-record-" + std::to_string(::getpid()));
  double alone = 0;
  for (const Variant& variant : variants) {
    const double seconds = time_of(argv[0] + std::string(variant.suffix), trace);
    if (seconds == 0) return 2;
    if (alone == 0) alone = seconds;
    std::printf("%-28s %7.3f s  %5.1f x\n", variant.name, seconds, seconds / alone);
  }
  std::printf("a trace of %.0f MB\n", static_cast<double>(std::filesystem::file_size(trace)) / 1e6);
  std::filesystem::remove(trace);
}
