// How long does `muster check` take from file to verdict, and how much memory, on histories of 8 threads that pass?
//
//   bench_judge [operations]          one million if not given; --growth adds a tenth and ten times as many
//
// Each figure is the best of three runs of the command as a process of its own, on one thread. The ratio is processor
// time to that of a calibration loop in the same run; memory is what the program takes beyond an empty log. With
// --growth, how much the time grows with ten times the operations, beside what n log n grows; and the logs of the
// shared corpus, where there is one: those of etcd together, and one of many keys that is not split.

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>

#include "generate.hpp"
#include "run_check.hpp"

namespace {

using namespace muster;
using namespace muster::bench;

/// A loop of dependent multiplications: what this machine does at this moment, to compare runs by.
double calibrate() {
  const std::clock_t start = std::clock();
  std::uint64_t state = 1;
  for (int i = 0; i < 100'000'000; ++i) state = state * 6364136223846793005u + 1442695040888963407u;
  volatile std::uint64_t keep = state;
  (void)keep;
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

struct Question {
  const char* name;
  const char* object;
  std::function<std::unique_ptr<Subject>(std::size_t)> make;
  std::vector<std::string> flags;
};

Run best_of_three(const std::vector<std::string>& arguments) {
  Run best = run_check(MUSTER_COMMAND, arguments);
  for (int i = 0; i < 2; ++i) {
    const Run again = run_check(MUSTER_COMMAND, arguments);
    if (again.processor < best.processor) best = again;
  }
  return best;
}

void judge_corpus() {
  const char* given = std::getenv("MUSTER_CORPUS");
  const std::filesystem::path logs = std::filesystem::path(given ? given : "../shared/data") / "histories/porcupine";
  if (!std::filesystem::exists(logs)) return;
  std::vector<std::string> etcd{"--spec", "cas-register"};
  for (const auto& entry : std::filesystem::directory_iterator(logs / "jepsen")) etcd.push_back(entry.path().string());
  const Run all = best_of_three(etcd);
  fmt::print("{} logs of etcd: {:.3f} s, {:.3f} s processor\n", etcd.size() - 2, all.seconds, all.processor);
  for (const char* name : {"c10-ok.txt", "c10-bad.txt"}) {
    if (!std::filesystem::exists(logs / "kv" / name)) continue;
    const Run whole = best_of_three({"--spec", "kv", "--no-split", (logs / "kv" / name).string()});
    fmt::print("{} without splitting by key: {:.3f} s processor, exit code {}\n", name, whole.processor, whole.code);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t operations = 1'000'000;
  bool growth = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--growth") {
      growth = true;
    } else {
      operations = std::stoull(argv[i]);
    }
  }
  const std::vector<Question> questions{
      {"set", "set", [](std::size_t n) { return std::make_unique<SetSubject>(n); }, {}},
      {"queue", "queue", [](std::size_t) { return std::make_unique<QueueSubject>(); }, {}},
      {"stack", "stack", [](std::size_t) { return std::make_unique<StackSubject>(); }, {}},
      {"priority-queue", "priority-queue", [](std::size_t) { return std::make_unique<PriorityQueueSubject>(); }, {}},
      {"register", "register", [](std::size_t) { return std::make_unique<RegisterSubject>(false); }, {}},
      {"single-writer",
       "register",
       [](std::size_t) { return std::make_unique<RegisterSubject>(true); },
       {"--property", "atomic"}},
  };
  const std::string folder = std::filesystem::temp_directory_path() / fmt::format("muster-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  std::vector<std::size_t> sizes{operations};
  if (growth) sizes = {operations / 10, operations, operations * 10};
  const double unit = calibrate();
  const std::string tiny = folder + "/tiny.txt";
  write_history(tiny, "queue", *questions[1].make(1), 1, Form::text);
  const double program = best_of_three({tiny}).megabytes;  // what it takes for nothing
  fmt::print("calibration loop {:.3f} s\n{:<16}{:>12}  {:<6}{:>9}{:>10}{:>9}{:>10}\n", unit, "object", "operations",
             "form", "seconds", "processor", "ratio", "bytes/op");
  bool passed = true;
  for (const Question& question : questions) {
    double before[2] = {0, 0};
    for (const std::size_t size : sizes) {
      for (const Form form : {Form::text, Form::json}) {
        const std::string path = folder + "/" + question.name + (form == Form::text ? ".txt" : ".jsonl");
        write_history(path, question.object, *question.make(size), size, form);
        std::vector<std::string> arguments = question.flags;
        arguments.push_back(path);
        const Run best = best_of_three(arguments);
        passed &= best.code == 0;
        double& smaller = before[form == Form::json];
        const auto n = static_cast<double>(size);
        fmt::print("{:<16}{:>12}  {:<6}{:>9.3f}{:>10.3f}{:>9.2f}{:>10.0f}{}{}\n", question.name, size,
                   form == Form::text ? "text" : "json", best.seconds, best.processor, best.processor / unit,
                   (best.megabytes - program) * (1 << 20) / n,
                   smaller > 0 ? fmt::format("   x {:.1f} (n log n: {:.1f})", best.processor / smaller,
                                             10 * std::log(n) / std::log(n / 10))
                               : "",
                   best.code == 0 ? "" : "  NOT A PASS");
        smaller = best.processor;
        std::fflush(stdout);
        std::filesystem::remove(path);
      }
    }
  }
  std::filesystem::remove_all(folder);
  if (growth) judge_corpus();
  return passed ? 0 : 1;
}
