// The examples of section 7 of "Understanding Synchronisation" (Lawrence and Lowe, 2022), as its testing sections use
// them: how long does it take to find each fault, under control and on real threads, with the direct judges and in two
// steps? The correct implementations beside them must not fail.
//
//   reproduce_synchronisation [--trials N] [--budget SECONDS] [--runs N]
//
// Each trial has a seed of its own: random tests of the given size, until one fails or the budget is spent. The paper
// prints no times; the table has its own row for each fault.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

struct Row {
  const char* example;
  const char* check;
  std::vector<const char*> faults;
  const char* size = "3x2";
  unsigned tests = 100;  // random ones of that size, or as many as there are
};

const Row rows[] = {
    {"Synchronous channel", "channel", {"wakes_one", "slot_freed_by_self"}},
    {"  of semaphores (Figure 5)", "semaphore_channel", {"no_reply", "mutex_given_too_soon"}},
    {"Filter channel", "filter_channel", {"first_offer_only", "filtered_once"}},
    {"Men & Women", "men_and_women", {"man_released_early", "wakes_one"}},
    {"Exchanger", "exchanger", {"third_enters", "wakes_one"}, "4x1"},
    {"Channel with counter", "counting_channel", {"counted_late", "wakes_one", "slot_freed_by_self"}},
    {"Two families", "two_families", {"asks_first_only", "forgets_meetings"}},
    {"One family", "one_family", {"asks_first_only", "forgets_meetings"}, "3x3"},
    {"ABC", "abc", {"frees_own_place", "wakes_one"}, "4x2"},
    {"Barrier", "barrier", {"releases_early", "no_generation"}, "3x2", 1},
    {"Timeout channel", "timeout_channel", {"believes_timeout", "leaves_offer"}},
    {"Timeout exchanger", "timeout_exchanger", {"leaves_offer", "believes_timeout"}},
    {"ABC with counter", "counting_abc", {"counts_leaving", "frees_own_place", "wakes_one"}, "4x2"},
    {"Barrier with counter", "counting_barrier", {"read_late", "releases_early", "no_generation"}, "4x2", 1},
    {"Terminating queue", "terminating_queue", {"counts_first", "wakes_one"}},
    {"Closeable channel", "closeable_channel", {"says_closed", "wakes_one"}},
    {"Enrollable barrier", "enrollable_barrier", {"resigns_silently", "ignores_newcomer"}, "3x2", 3},
    {"std::barrier", "standard_barrier", {}, "3x2", 1},
    {"std::latch", "standard_latch", {}, "3x1", 1},
    {"pthread_barrier_t", "posix_barrier", {}, "3x2", 1},
};

struct Trials {
  int found = 0, trials = 0;
  double seconds = 0;  // of those that found it

  std::string text() const {
    if (found == 0) return fmt::format("- (0/{})", trials);
    return fmt::format("{:.3f} ({}/{})", seconds / found, found, trials);
  }
};

class Experiment {
 public:
  int trials = 5;
  double budget = 10;
  unsigned runs = 10'000;
  bool wrong = false;
  const std::string folder = std::filesystem::temp_directory_path() / fmt::format("muster-{}", getpid());

  /// A trial a seed, timed to its end.
  Trials find(const std::string& command, int expected = 1) {
    Trials result;
    for (int seed = 1; seed <= trials; ++seed) {
      const auto start = std::chrono::steady_clock::now();
      // A failure that was saved would be tried first, and nothing searched.
      std::filesystem::remove_all(folder);
      const int status =
          std::system(fmt::format("{} --seed {} --folder {} > /dev/null 2>&1", command, seed, folder).c_str());
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      ++result.trials;
      if (WEXITSTATUS(status) == expected) {
        ++result.found;
        result.seconds += seconds;
      }
    }
    return result;
  }

  void print_fault(const Row& row, const char* fault) {
    const std::string name = fmt::format("{}_{}", row.check, fault);
    const auto under_control = [&](const char* judge) {
      return find(fmt::format(
                      "'{}' {} --strategy dfs --size {} --tests uniform:1000 --minimise 0 --budget {}s --judge {}",
                      MUSTER_SYNCHRONISATION_CHECKS, name, row.size, budget, judge))
          .text();
    };
    const auto on_threads = [&](const char* judge) {
      return find(fmt::format("'{}' {} --stress --size {} --tests 1000 --runs 100 --budget {}s --judge {}",
                              MUSTER_SYNCHRONISATION_CHECKS, name, row.size, budget, judge))
          .text();
    };
    fmt::print("{:<27} {:<20} {:>15} {:>15} {:>15} {:>15}\n", row.example, fault, under_control("automatic"),
               under_control("two-step"), on_threads("automatic"), on_threads("two-step"));
    std::fflush(stdout);
  }

  /// No false error in either mode: random tests under control, and all the stress runs.
  void print_correct(const Row& row) {
    const std::string both = fmt::format("'{}' {} --size {}", MUSTER_SYNCHRONISATION_CHECKS, row.check, row.size);
    const int saved = std::exchange(trials, 1);
    const Trials control = find(fmt::format("{} --strategy dfs --tests uniform:20 --budget {}s", both, budget), 0);
    const Trials stress =
        find(fmt::format("{} --stress --tests {} --runs {}", both, row.tests, (runs + row.tests - 1) / row.tests), 0);
    trials = saved;
    wrong |= control.found != 1 || stress.found != 1;
    fmt::print("{:<27} {:<20} {:>15} {:>15} {:>15}\n", row.example, "correct",
               control.found ? fmt::format("passes {:.2f}", control.seconds) : "FALSE ERROR", "",
               stress.found ? fmt::format("passes {:.2f}", stress.seconds) : "FALSE ERROR");
    std::fflush(stdout);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Experiment experiment;
  CLI::App app{"The examples of Understanding Synchronisation, section 7"};
  app.add_option("--trials", experiment.trials, "Trials for each fault, with seeds 1, 2 …")->capture_default_str();
  app.add_option("--budget", experiment.budget, "Seconds for each trial")->capture_default_str();
  app.add_option("--runs", experiment.runs, "Runs on real threads of each correct implementation")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  fmt::print("mean seconds to find a fault (found / trials of at most {} s)\n", experiment.budget);
  fmt::print("{:<27} {:<20} {:>15} {:>15} {:>15} {:>15}\n", "example", "", "control", "two-step", "stress", "two-step");
  for (const Row& row : rows) {
    experiment.print_correct(row);
    for (const char* fault : row.faults) experiment.print_fault(row, fault);
  }
  std::filesystem::remove_all(experiment.folder);
  return experiment.wrong ? 1 : 0;
}
