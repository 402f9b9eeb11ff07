// The comparison of Figure 7 of "A scalable and oblivious atomicity assertion" (Guerraoui and Vukolić, 2008): SOAR,
// CLMT and the sweep of this project against the number of operations, on executions of a single-writer register.
//
//   reproduce_soar [seconds]        how long one assertion may take before its column ends; 2 if not given
//
// The paper measured whole model checks of Tromp's algorithm; here each assertion judges the same recorded executions,
// atomic ones and ones made wrong in one read, and the time is that of one judgement. Then Tromp's algorithm itself
// (section 4) is checked under every schedule, with the assertion after every read, and its two simplifications
// (section 4.1).

#include "judge/register/soar.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>

#include "base/rng.hpp"
#include "spec/builtin.hpp"

namespace {

using namespace muster;
using Clock = std::chrono::steady_clock;

/// Half writes, half reads by two readers that overlap them; every read takes the value at a moment inside it.
RegisterHistory execution(std::size_t operations, bool atomic, Rng& rng) {
  HistoryBuilder build;
  const MethodId write = build.method("write"), read = build.method("read");
  const std::size_t writes = operations / 2, reads = operations - writes;
  const auto value_at = [&](std::int64_t point) {
    return std::min<std::int64_t>(point / 10, static_cast<std::int64_t>(writes));
  };
  for (std::size_t i = 1; i <= writes; ++i) {
    const Value value = Value::integer(static_cast<std::int64_t>(i));
    const auto point = static_cast<std::int64_t>(i) * 10;
    build.interval(build.process("writer"), write, std::span(&value, 1), Value(), point - 4, point + 4);
  }
  for (std::size_t i = 0; i < reads; ++i) {
    const auto point = static_cast<std::int64_t>(rng.below(writes * 10 + 10));
    const auto start = std::max<std::int64_t>(0, point - static_cast<std::int64_t>(rng.below(8)));
    const auto end = point + 1 + static_cast<std::int64_t>(rng.below(8));
    // The last read of a wrong execution returns a value that was never current while it ran.
    const bool wrong = !atomic && i + 1 == reads;
    const Value result =
        Value::integer(wrong ? value_at(point) + static_cast<std::int64_t>(writes) + 1 : value_at(point));
    build.interval(build.process(i % 2 ? "reader 1" : "reader 2"), read, {}, result, start, end);
  }
  const History history = build.finish();
  return register_history(history, *register_spec());
}

/// Seconds for one judgement, repeated until the clock can tell; nothing if it gave no answer.
std::optional<double> seconds(const std::function<std::optional<bool>()>& assertion, bool expected) {
  std::size_t rounds = 0;
  const auto start = Clock::now();
  double elapsed = 0;
  do {
    const auto answer = assertion();
    if (!answer) return std::nullopt;
    if (*answer != expected) {
      fmt::print("an assertion gave the wrong answer\n");
      std::exit(1);
    }
    ++rounds;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (elapsed < 0.01);
  return elapsed / static_cast<double>(rounds);
}

std::string shown(std::optional<double> time) { return time ? fmt::format("{:.3g} us", *time * 1e6) : "-"; }

/// Tromp's algorithm under the controlled scheduler: one line for each scenario of tests/subjects/register.
void check_tromp() {
#ifdef MUSTER_REGISTER_SUBJECTS
  const auto run = [](const char* scenario, const char* flags, const char* shown) {
    fmt::print("{} {}\n", scenario, flags);
    std::fflush(stdout);
    const std::string command =
        fmt::format("{} {} {} --folder $(mktemp -d) | {}", MUSTER_REGISTER_SUBJECTS, scenario, flags, shown);
    if (std::system(command.c_str()) != 0) fmt::print("{}: no verdict\n", scenario);
  };
  const char* verdict = "grep -E '^(PASS|NO FINDING|FAIL)' | sed 's/^/    /'";
  fmt::print("\nTromp's algorithm, writes_reads, under every schedule, one after the other:\n");
  for (const char* scenario : {"tromp_1_1", "tromp_1_2", "tromp_2_1", "tromp_2_2"})
    run(scenario, "--strategy dfs --bound unbounded", verdict);
  fmt::print("\nOne execution of each class:\n");
  for (const char* scenario : {"tromp_1_1", "tromp_1_2", "tromp_2_1", "tromp_2_2", "tromp_3_3"})
    run(scenario, "--strategy dpor --bound unbounded", verdict);
  fmt::print(
      "\nThe simplifications of section 4.1: without line 3 or 6 it is not atomic (w and r are a call of a write and a "
      "read, ) "
      "its return), without line 3 it stays regular:\n");
  for (const char* scenario : {"without_line_3", "without_line_6"})
    run(scenario, "--strategy dfs --bound 8", "sed -n '/^FAIL/,/^Schedule/p' | sed 's/^/    /'");
  for (const char* scenario : {"without_line_3_regular_2_2", "without_line_3_regular"})
    run(scenario, "--strategy dpor --bound unbounded", verdict);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const double patience = argc > 1 ? std::stod(argv[1]) : 2;
  fmt::print("{:>10}  {:<11}{:>14}{:>14}{:>14}\n", "operations", "execution", "CLMT", "SOAR", "sweep");
  bool clmt_ends[2] = {true, true}, soar_ends[2] = {true, true};
  for (const std::size_t operations : {2, 4, 5, 6, 7, 8, 10, 20, 50, 100, 1000, 10000, 100000, 1000000}) {
    for (const bool atomic : {true, false}) {
      Rng rng{operations};
      const RegisterHistory history = execution(operations, atomic, rng);
      std::optional<double> slow, middle;
      if (clmt_ends[atomic] && operations <= 32) {
        slow = seconds([&] { return clmt(history, static_cast<std::uint64_t>(patience * 2e7)); }, atomic);
        clmt_ends[atomic] = slow && *slow < patience;
      }
      if (soar_ends[atomic]) {
        middle = seconds([&] { return std::optional(soar(history)); }, atomic);
        soar_ends[atomic] = *middle * 1000 < patience;  // ten times the operations take up to a thousand times as long
      }
      const auto fast =
          seconds([&] { return std::optional(passes(judge_register(history, RegisterProperty::atomic))); }, atomic);
      fmt::print("{:>10}  {:<11}{:>14}{:>14}{:>14}\n", operations, atomic ? "atomic" : "not atomic", shown(slow),
                 shown(middle), shown(fast));
    }
  }
  check_tromp();
}
