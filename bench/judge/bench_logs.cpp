// Which logs have no cliff? Processor time and memory of `muster check` where values repeat, operations never return,
// or many clients overlap; beside other checkers, if their executables are given.
//
//   bench_logs [--large] [NAME=PROGRAM ...] [NAME:distinct=PROGRAM ...]
//
// --large: ten million operations of each object, after a million of each. A PROGRAM is called with the file alone, on
// the rows of containers and swaps in which every operation returns, and has 60 s for each; one that is `distinct` gets
// those without repeats, as lines that name no process. Each figure is that of one run of a process of its own. With a
// corpus (MUSTER_CORPUS), the logs of its key-value store come last.

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "log_rows.hpp"
#include "run_check.hpp"

namespace {

using namespace muster;
using namespace muster::bench;

struct Other {
  std::string name, program;
  bool distinct;

  bool reads(const LogRow& row) const {
    const bool is_known = row.object == "queue" || row.object == "stack" || row.object == "priority-queue" ||
                          (row.object == "swap" && !distinct);
    return is_known && row.pending == 0 && (!distinct || row.values == 0);
  }
};

std::vector<LogRow> rows(bool large) {
  std::vector<LogRow> all;
  for (const unsigned clients : {4u, 8u}) {
    for (const std::size_t operations : {500u, 2'000u, 10'000u}) all.push_back({"queue", operations, clients});
  }
  for (const char* object : {"stack", "priority-queue"}) all.push_back({object, 10'000, 8});
  all.push_back({"register", 100'000, 8, 5, 1});
  for (const char* object : {"queue", "stack", "priority-queue"}) all.push_back({object, 10'000, 8, 0});
  for (const char* object : {"queue", "stack", "priority-queue"}) all.push_back({object, 10'000, 8, 0, 5, true});
  for (const char* object : {"queue", "stack", "priority-queue"}) all.push_back({object, 10'000, 8, 5, 5, true});
  all.push_back({"stack", 100'000, 8});
  all.push_back({"swap", 10'000, 8});
  for (const unsigned clients : {8u, 24u, 40u}) all.push_back({"counter", 10'000, clients});
  for (const unsigned clients : {8u, 24u}) all.push_back({"counter", 10'000, clients, 5, 1});
  all.push_back({"fetch-and-add", 10'000, 32});
  all.push_back({"fetch-and-add", 10'000, 32, 5, 1});
  for (const unsigned clients : {8u, 32u}) all.push_back({"cas-register", 10'000, clients});
  for (const unsigned clients : {8u, 32u}) all.push_back({"register", 1'000'000, clients});
  if (!large) return all;
  for (const char* object : {"queue", "priority-queue", "register", "counter", "fetch-and-add", "cas-register"}) {
    for (const std::size_t operations : {1'000'000u, 10'000'000u}) all.push_back({object, operations, 4});
  }
  for (const char* object : {"queue", "stack", "priority-queue", "register"}) {
    for (const std::size_t operations : {1'000'000u, 10'000'000u}) all.push_back({object, operations, 8, 0});
  }
  return all;
}

std::string verdict(int code) {
  return code == 0 ? "passes" : code == 1 ? "FAILS" : code == 3 ? "undecided" : fmt::format("exit code {}", code);
}

void judge_corpus() {
  const char* given = std::getenv("MUSTER_CORPUS");
  const std::filesystem::path logs = std::filesystem::path(given ? given : "../shared/data") / "histories/porcupine/kv";
  for (const char* name : {"c10-ok.txt", "c10-bad.txt", "c50-ok.txt", "c50-bad.txt"}) {
    if (!std::filesystem::exists(logs / name)) continue;
    const Run run = run_check(MUSTER_COMMAND, {"--spec", "kv", (logs / name).string()});
    fmt::print("{:<58}{:>9.3f} s  {}\n", name, run.processor, verdict(run.code));
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool large = false;
  std::vector<Other> others;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (argument == "--large") {
      large = true;
    } else if (equals != argument.npos) {
      std::string_view name = argument.substr(0, equals);
      const bool distinct = name.ends_with(":distinct");
      if (distinct) name.remove_suffix(std::string_view(":distinct").size());
      others.push_back({std::string(name), std::string(argument.substr(equals + 1)), distinct});
    } else {
      fmt::print(stderr, "bench_logs [--large] [NAME=PROGRAM ...] [NAME:distinct=PROGRAM ...]\n");
      return 2;
    }
  }
  const std::string folder = std::filesystem::temp_directory_path() / fmt::format("muster-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/log.txt", beside_path = folder + "/beside.txt";
  write_log(path, {"queue", 1});
  const double program = run_check(MUSTER_COMMAND, {path}).megabytes;  // what it takes for nothing
  bool passed = true;
  for (const LogRow& row : rows(large)) {
    write_log(path, row);
    const Run run = run_check(MUSTER_COMMAND, {"--time", "60s", path});
    passed &= run.code == 0;
    fmt::print("{:<58}{:>9.3f} s{:>6.0f} bytes/op  {}", row.describe(), run.processor,
               (run.megabytes - program) * (1 << 20) / static_cast<double>(row.operations), verdict(run.code));
    for (const Other& other : others) {
      if (!other.reads(row)) continue;
      LogRow shown = row;
      shown.no_processes = other.distinct;
      write_log(beside_path, shown);
      const Run beside = run_program({"timeout", "60", other.program, beside_path});
      fmt::print("; {} {:.3f} s{}", other.name, beside.processor,
                 beside.code == 124 ? ", none in 60 s"
                 : beside.code      ? fmt::format(", exit code {}", beside.code)
                                    : "");
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
  std::filesystem::remove_all(folder);
  judge_corpus();
  return passed ? 0 : 1;
}
