// Tables I to V and Figures 8 and 9 of "Round-Up: runtime verification of quasi linearizability for concurrent data
// structures" (Zhang, Chattopadhyay, Wang), from the checks in tests/subjects/roundup, beside the paper's figures.
//
//   reproduce_roundup [--jobs N] [--csv FILE]
//
// What can be compared: whether there is a violation, the number of serial histories, and how many permutations a
// sequence of so many removals has. Numbers of histories and times depend on the code and on the tool that runs it.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "judge/quasi/quasi.hpp"
#include "judge/quasi/round_up.hpp"
#include "spec/builtin.hpp"

namespace {

using namespace muster;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// What a row of the paper says.
struct Paper {
  bool violation;
  unsigned serial;         // histories of phase 1
  const char* histories;   // buggy/total
  const char* enumerated;  // sequentializations of Table II, permutations of the others
  const char* time;
};

struct Row {
  const char* title;
  const char* check;
  const char* calls;
  const char* matrix;
  const char* spec;
  unsigned factor;
  Paper paper;
};

// Two columns of enqueues and dequeues as in the paper's "calls", where it leaves open who calls what.
#define DEQUEUES_1 "dequeue()"
#define DEQUEUES_2 "dequeue(), dequeue()"
#define DEQUEUES_3 "dequeue(), dequeue(), dequeue()"
#define DEQUEUES_4 "dequeue(), dequeue(), dequeue(), dequeue()"
constexpr const char* queue_2_2_4 = "enqueue(1), enqueue(2) | enqueue(3), enqueue(4) | last: " DEQUEUES_4;
constexpr const char* queue_3_3_4 =
    "enqueue(1), enqueue(2), dequeue() | enqueue(3), enqueue(4), dequeue() | last: " DEQUEUES_4;
constexpr const char* queue_2_3_3 = "enqueue(1), enqueue(2) | enqueue(3), enqueue(4), dequeue() | last: " DEQUEUES_3;
constexpr const char* queue_3_3_2 =
    "enqueue(1), enqueue(2), dequeue() | enqueue(3), enqueue(4), dequeue() | last: " DEQUEUES_2;
constexpr const char* queue_3_4_1 =
    "enqueue(1), enqueue(2), dequeue() | enqueue(3), enqueue(4), dequeue(), dequeue() | last: " DEQUEUES_1;
constexpr const char* queue_4_4_0 =
    "enqueue(1), enqueue(2), dequeue(), dequeue() | enqueue(3), enqueue(4), dequeue(), dequeue()";
constexpr const char* waiting_2_2_0 = "dequeue(), enqueue(1) | enqueue(2), enqueue(3)";
constexpr const char* stack_2_2_4 = "push(1), push(2) | push(3), push(4) | last: pop(), pop(), pop(), pop()";
constexpr const char* busy_stack_2_2_4 = "push(1), pop() | push(2), pop() | last: push(3), push(4), pop(), pop()";
constexpr const char* priorities_2_2_4 =
    "insert(4), insert(2) | insert(3), insert(1) | last: poll(), poll(), poll(), poll()";

// Table II: standard linearizability.
const std::vector<Row> table_2{
    {"IQueue", "iqueue_waiting", "2*2+0", waiting_2_2_0, "queue", 0, {true, 3, "2/6", "13", "0.3"}},
    {"Herlihy/Wing queue", "herlihy_wing_queue", "2*2+0", waiting_2_2_0, "queue", 0, {false, 3, "0/4", "9", "0.2"}},
    {"Quasi Queue", "quasi_queue", "2*2+4", queue_2_2_4, "queue", 0, {true, 6, "16/16", "61", "2.5"}},
    {"Quasi Queue", "quasi_queue", "3*3+4", queue_3_3_4, "queue", 0, {true, 20, "64/64", "505", "43.7"}},
    {"Quasi Queue", "quasi_queue", "2*3+3", queue_2_3_3, "queue", 0, {true, 10, "24/32", "169", "8.3"}},
    {"Quasi Queue", "quasi_queue", "3*3+2", queue_3_3_2, "queue", 0, {true, 20, "108/118", "1033", "1m23s"}},
    {"Quasi Queue", "quasi_queue", "3*4+1", queue_3_4_1, "queue", 0, {true, 35, "149/198", "2260", "5m8s"}},
    {"Quasi Queue", "quasi_queue", "4*4+0", queue_4_4_0, "queue", 0, {true, 70, "274/476", "8484", "37m34s"}},
    {"Quasi Queue b1", "quasi_queue_b1", "2*2+4", queue_2_2_4, "queue", 0, {true, 6, "91/91", "409", "17.8"}},
    {"Quasi Queue b2",
     "quasi_queue_b2",
     "2*2+4",
     "enqueue(1), dequeue() | enqueue(2), dequeue() | last: enqueue(3), enqueue(4), dequeue(), dequeue()",
     "queue",
     0,
     {true, 6, "91/91", "409", "18.1"}},
    {"Quasi Queue b3", "quasi_queue_b3", "2*2+4", queue_2_2_4, "queue", 0, {true, 6, "141/141", "653", "26.9"}},
    {"Quasi Stack b1", "quasi_stack_b1", "2*2+4", busy_stack_2_2_4, "stack", 0, {true, 6, "9/9", "34", "1.6"}},
    {"Quasi Stack b2", "quasi_stack_b2", "2*2+4", stack_2_2_4, "stack", 0, {true, 6, "16/16", "61", "2.5"}},
    {"Quasi Stack", "quasi_stack", "2*2+4", stack_2_2_4, "stack", 0, {false, 6, "0/16", "61", "2.5"}},
    {"Quasi Priority Queue",
     "quasi_priority_queue",
     "2*2+4",
     priorities_2_2_4,
     "priority-queue",
     0,
     {true, 6, "16/16", "61", "4.9"}},
    {"Quasi Priority Queue b2",
     "quasi_priority_queue_b2",
     "2*2+4",
     priorities_2_2_4,
     "priority-queue",
     0,
     {true, 6, "125/125", "532", "27.0"}},
};

// Table III: quasi-linearizability.
const std::vector<Row> table_3{
    {"Quasi Queue", "quasi_queue", "2*2+4", queue_2_2_4, "queue", 2, {false, 6, "0/16", "1708", "2.9"}},
    {"Quasi Queue", "quasi_queue", "3*3+4", queue_3_3_4, "queue", 2, {false, 20, "0/64", "73730", "5m33s"}},
    {"Quasi Queue", "quasi_queue", "2*3+3", queue_2_3_3, "queue", 2, {false, 10, "0/32", "4732", "9.6"}},
    {"Quasi Queue", "quasi_queue", "3*3+2", queue_3_3_2, "queue", 2, {false, 20, "0/118", "28924", "1m34s"}},
    {"Quasi Queue", "quasi_queue", "3*4+1", queue_3_4_1, "queue", 2, {false, 35, "0/198", "63280", "5m40s"}},
    {"Quasi Queue", "quasi_queue", "4*4+0", queue_4_4_0, "queue", 2, {false, 70, "0/476", "237552", "40m56s"}},
    {"Quasi Queue (qfactor=3)", "quasi_queue_3", "2*3+3", queue_2_3_3, "queue", 3, {false, 10, "0/32", "8112", "14.9"}},
    {"Quasi Queue (qfactor=3)",
     "quasi_queue_3",
     "3*3+2",
     queue_3_3_2,
     "queue",
     3,
     {false, 20, "0/118", "49584", "2m36s"}},
    {"Quasi Queue (qfactor=3)",
     "quasi_queue_3",
     "3*4+1",
     queue_3_4_1,
     "queue",
     3,
     {false, 35, "0/198", "108480", "10m15s"}},
    {"Quasi Queue (qfactor=3)",
     "quasi_queue_3",
     "4*4+0",
     queue_4_4_0,
     "queue",
     3,
     {false, 70, "0/476", "407232", "69m32s"}},
    {"Quasi Queue b1", "quasi_queue_b1", "2*2+4", queue_2_2_4, "queue", 2, {true, 6, "41/91", "11452", "20.1"}},
    {"Quasi Queue b2",
     "quasi_queue_b2",
     "2*2+4",
     "enqueue(1), dequeue() | enqueue(2), dequeue() | last: enqueue(3), enqueue(4), dequeue(), dequeue()",
     "queue",
     2,
     {true, 6, "91/91", "11452", "20.2"}},
    {"Quasi Queue b3", "quasi_queue_b3", "2*2+4", queue_2_2_4, "queue", 2, {true, 6, "73/141", "18284", "31.0"}},
    {"Quasi Stack b1", "quasi_stack_b1", "2*2+4", busy_stack_2_2_4, "stack", 2, {true, 6, "9/9", "2108", "3.5"}},
    {"Quasi Stack b2", "quasi_stack_b2", "2*2+4", stack_2_2_4, "stack", 2, {true, 6, "6/16", "1708", "2.8"}},
    {"Quasi Stack (\"b3\")", "quasi_stack", "2*2+4", stack_2_2_4, "stack", 2, {false, 6, "0/16", "1708", "2.8"}},
    {"Quasi Priority Queue",
     "quasi_priority_queue",
     "2*2+4",
     priorities_2_2_4,
     "priority-queue",
     2,
     {false, 6, "0/16", "1708", "4.7"}},
    {"Quasi Priority Queue b2",
     "quasi_priority_queue_b2",
     "2*2+4",
     priorities_2_2_4,
     "priority-queue",
     2,
     {true, 6, "54/125", "6384", "20.0"}},
};

/// Two calls that overlap among 14: what is inside before them, and all of it taken out after.
constexpr const char* enq_deq =
    "first: enqueue(1), enqueue(2), enqueue(3), enqueue(4), enqueue(5), enqueue(6) | enqueue(7) | dequeue() | last: "
    "dequeue(), dequeue(), dequeue(), dequeue(), dequeue(), dequeue()";
constexpr const char* enq_enq =
    "first: enqueue(1), enqueue(2), enqueue(3), enqueue(4), enqueue(5) | enqueue(6) | enqueue(7) | last: dequeue(), "
    "dequeue(), dequeue(), dequeue(), dequeue(), dequeue(), dequeue()";
constexpr const char* deq_deq =
    "first: enqueue(1), enqueue(2), enqueue(3), enqueue(4), enqueue(5), enqueue(6), enqueue(7) | dequeue() | dequeue() "
    "| last: dequeue(), dequeue(), dequeue(), dequeue(), dequeue()";
// The upper segment of the k-stack is empty when the two overlap.
constexpr const char* push_pop =
    "first: push(1), push(2), push(3), push(4), pop() | push(5) | pop() | last: pop(), pop(), pop(), push(6), push(7), "
    "pop(), pop()";
constexpr const char* push_push =
    "first: push(1), push(2), push(3), push(4), push(5) | push(6) | push(7) | last: pop(), pop(), pop(), pop(), pop(), "
    "pop(), pop()";
constexpr const char* pop_pop =
    "first: push(1), push(2), push(3), push(4), push(5), push(6), push(7) | pop() | pop() | last: pop(), pop(), pop(), "
    "pop(), pop()";

const std::vector<Row> table_5{
    {"sl-queue (enq+deq)", "sl_queue", "1*1+12", enq_deq, "queue", 2, {false, 2, "0/2", "1032", "1.61"}},
    {"sl-queue (enq+enq)", "sl_queue", "1*1+12", enq_enq, "queue", 2, {true, 2, "1/2", "1032", "1.78"}},
    {"sl-queue (deq+deq)", "sl_queue", "1*1+12", deq_deq, "queue", 2, {true, 2, "4/8", "5160", "7.21"}},
    {"t-stack (push+pop)", "t_stack", "1*1+12", push_pop, "stack", 2, {false, 2, "0/8", "5160", "7.77"}},
    {"t-stack (push+push)", "t_stack", "1*1+12", push_push, "stack", 2, {false, 2, "0/8", "5160", "7.78"}},
    {"t-stack (pop+pop)", "t_stack", "1*1+12", pop_pop, "stack", 2, {false, 2, "0/8", "5160", "7.63"}},
    {"ms-queue (enq+deq)", "ms_queue", "1*1+12", enq_deq, "queue", 2, {false, 2, "0/3", "1720", "2.94"}},
    {"ms-queue (enq+enq)", "ms_queue", "1*1+12", enq_enq, "queue", 2, {false, 2, "0/31", "20984", "32.47"}},
    {"ms-queue (deq+deq)", "ms_queue", "1*1+12", deq_deq, "queue", 2, {false, 2, "0/12", "7912", "12.33"}},
    {"rd-queue (enq+deq)", "rd_queue_seeded", "1*1+12", enq_deq, "queue", 2, {false, 2, "0/5", "3096", "5.97"}},
    {"rd-queue (enq+enq)", "rd_queue_seeded", "1*1+12", enq_enq, "queue", 2, {false, 2, "0/31", "20984", "37.83"}},
    {"rd-queue (deq+deq)", "rd_queue_seeded", "1*1+12", deq_deq, "queue", 2, {false, 2, "0/4", "2408", "7.31"}},
    {"bk-queue (enq+deq)", "bk_queue_seeded", "1*1+12", enq_deq, "queue", 2, {false, 2, "0/29", "19608", "34.45"}},
    {"bk-queue (enq+enq)", "bk_queue_seeded", "1*1+12", enq_enq, "queue", 2, {false, 2, "0/41", "27864", "50.98"}},
    {"bk-queue (deq+deq)", "bk_queue_seeded", "1*1+12", deq_deq, "queue", 2, {false, 2, "0/24", "16168", "28.11"}},
    {"ubk-queue (enq+deq)", "ubk_queue_seeded", "1*1+12", enq_deq, "queue", 2, {false, 2, "0/21", "14104", "35.71"}},
    {"ubk-queue (enq+enq)", "ubk_queue_seeded", "1*1+12", enq_enq, "queue", 2, {false, 2, "0/41", "27864", "61.94"}},
    {"ubk-queue (deq+deq)", "ubk_queue_seeded", "1*1+12", deq_deq, "queue", 2, {false, 2, "0/52", "35432", "68.21"}},
    {"k-stack (push+pop)", "k_stack_seeded", "1*1+12", push_pop, "stack", 2, {true, 2, "11/69", "47128", "1m29s"}},
    {"k-stack (push+push)", "k_stack_seeded", "1*1+12", push_push, "stack", 2, {false, 2, "0/12", "7192", "15.13"}},
    {"k-stack (pop+pop)", "k_stack_seeded", "1*1+12", pop_pop, "stack", 2, {false, 2, "0/8", "5160", "9.46"}},
};

/// A distinct history of a test, and how many executions had it.
struct Met {
  History history;
  std::size_t times = 0;
};

std::vector<Met> read_histories(const std::string& path) {
  std::ifstream file(path);
  std::vector<Met> met;
  std::string text, line;
  bool complete = true;
  const auto finish = [&] {
    if (!text.empty()) met.back().history = parse_history(text);
    text.clear();
  };
  while (std::getline(file, line)) {
    if (line.starts_with("history met ")) {
      finish();
      complete = true;
      met.push_back({{}, std::stoull(line.substr(12))});
    } else if (line.starts_with("stuck history met ")) {
      finish();
      complete = false;
    } else if (!complete) {
      continue;
    } else if (!line.empty() && line[0] != '#') {
      text += line + "\n";
    }
  }
  finish();
  return met;
}

/// The fields of the last line of a CSV file; one may be quoted.
std::vector<std::string> last_fields(const std::string& path) {
  std::ifstream file(path);
  std::string line, last;
  while (std::getline(file, line)) last = line;
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : last) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

/// Serial histories of a test of two columns: interleavings in which no call that waits would wait for ever.
std::size_t serial_histories(const Row& row) {
  const bool waits = std::string_view(row.calls) == "2*2+0";
  std::vector<std::vector<bool>> columns;  // whether each call puts in
  std::istringstream parts{std::string(row.matrix)};
  for (std::string part; std::getline(parts, part, '|');) {
    const bool around = part.find(':') != std::string::npos;
    std::vector<bool> calls;
    std::istringstream names(part);
    for (std::string name; std::getline(names, name, ')');) {
      if (name.find('(') != std::string::npos)
        calls.push_back(name.find("pop") == std::string::npos && name.find("deq") == std::string::npos &&
                        name.find("poll") == std::string::npos);
    }
    if (!around) columns.push_back(calls);
  }
  std::size_t count = 0;
  const auto walk = [&](auto&& self, std::size_t a, std::size_t b, int held) -> void {
    if (a == columns[0].size() && b == columns[1].size()) ++count;
    for (const std::size_t side : {0, 1}) {
      const std::size_t at = side == 0 ? a : b;
      if (at == columns[side].size()) continue;
      const bool puts = columns[side][at];
      if (waits && !puts && held == 0) continue;
      self(self, a + (side == 0), b + (side == 1), held + (puts ? 1 : -1));
    }
  };
  walk(walk, 0, 0, 0);
  return count;
}

struct Measured {
  bool ran = false, violation = false;
  std::size_t serial = 0, buggy = 0, histories = 0;
  std::uint64_t executions = 0;
  unsigned largest_factor = 0;
  double seconds = 0;
  std::vector<Met> met;
};

class Reproduction {
 public:
  Reproduction(std::string program, unsigned jobs, std::string csv)
      : program_(std::move(program)), jobs_(jobs), csv_path_(std::move(csv)), csv_(csv_path_) {
    folder_ = (std::filesystem::temp_directory_path() / fmt::format("muster-roundup-{}", ::getpid())).string();
    std::filesystem::create_directories(folder_);
    csv_ << "table,class,calls,factor,violation,paper_violation,serial,paper_serial,buggy,histories,paper_histories,"
            "sequentializations,permutations,paper_enumerated,executions,largest_factor,seconds,paper_time\n";
  }
  ~Reproduction() { std::filesystem::remove_all(folder_); }

  int run() {
    const auto start = Clock::now();
    for (const auto& [name, title, rows] :
         {std::tuple("II", "standard linearizability", &table_2), std::tuple("III", "quasi-linearizability", &table_3),
          std::tuple("V", "quasi-linearizability of the Scal structures", &table_5)}) {
      fmt::print("\nTable {}: {} (paper's figures in parentheses)\n", name, title);
      fmt::print("{:<25} {:<7} {:>2}  {:<10} {:>9} {:>22} {:>18} {:>24} {:>16}\n", "class", "calls", "K", "violation",
                 "phase 1", "histories buggy/total", "sequentializations", "permutations", "seconds");
      for (const Row& row : *rows) print_row(name, row);
    }
    const double tables = seconds_since(start);
    print_optimisations();
    const bool fast = print_speed();
    print_double_push();
    fmt::print("\n{} of {} violations as in the paper; tables in {:.1f} s, all in {:.1f} s; figures in {}\n", agreeing_,
               rows_, tables, seconds_since(start), csv_path_);
    return agreeing_ == rows_ && serial_agreeing_ == rows_ && fast ? 0 : 1;
  }

 private:
  Measured measure(const Row& row) const {
    const std::string summary = folder_ + "/summary.csv", histories = folder_ + "/histories";
    std::filesystem::remove(summary);
    const std::string command = fmt::format(
        "'{}' {} --matrix '{}' --spec {} --quasi {} --late-yields 0 --jobs {} --minimise 0 --summary '{}' --histories "
        "'{}' "
        "--folder '{}/failures' --no-races --quiet > '{}/output' 2>&1",
        program_, row.check, row.matrix, row.spec, row.factor, jobs_, summary, histories, folder_, folder_);
    const int status = std::system(command.c_str());
    const auto f = last_fields(summary);
    Measured measured;
    if (f.size() < 20 || f[0] != row.check) {
      fmt::print(stderr, "{}: the check did not run (status {}): {}\n", row.check, status, command);
      return measured;
    }
    measured.ran = f[8] == "0";  // none undecided
    measured.executions = std::stoull(f[11]);
    measured.seconds = std::stod(f[12]);
    measured.histories = std::stoull(f[15]);
    measured.buggy = std::stoull(f[18]);
    measured.largest_factor = static_cast<unsigned>(std::stoul(f[19]));
    measured.violation = f[7] != "0";
    measured.serial = serial_histories(row);
    measured.met = read_histories(histories);
    return measured;
  }

  void print_row(const char* table, const Row& row) {
    const Measured measured = measure(row);
    ++rows_;
    if (!measured.ran) {
      fmt::print("{:<25} {:<7} {:>2}  undecided\n", row.title, row.calls, row.factor);
      return;
    }
    agreeing_ += measured.violation == row.paper.violation;
    serial_agreeing_ += measured.serial == row.paper.serial;
    const SpecPtr spec = find_spec(row.spec);
    // What Algorithm 1 would explore on these histories: all orders, and all permutations of the removals in each.
    std::size_t orders = 0, permutations = 0;
    for (const Met& met : measured.met) {
      const std::size_t count = round_up::sequentializations(met.history).size();
      std::uint32_t removals = 0;
      const Binding binding(met.history, *spec);
      for (const Operation& operation : met.history.operations()) removals += binding.method(operation) == 1;
      orders += count;
      permutations += count * permutations_of(removals, row.factor);
    }
    const bool is_table_2 = std::string_view(table) == "II";
    fmt::print("{:<25} {:<7} {:>2}  {:<10} {:>9} {:>22} {:>18} {:>24} {:>16}{}\n", row.title, row.calls, row.factor,
               fmt::format("{} ({})", measured.violation ? "YES" : "NO", row.paper.violation ? "YES" : "NO"),
               fmt::format("{} ({})", measured.serial, row.paper.serial),
               fmt::format("{}/{} ({})", measured.buggy, measured.histories, row.paper.histories),
               fmt::format("{}{}", orders, is_table_2 ? fmt::format(" ({})", row.paper.enumerated) : ""),
               is_table_2 ? "" : fmt::format("{} ({})", permutations, row.paper.enumerated),
               fmt::format("{:.2f} ({})", measured.seconds, row.paper.time),
               measured.violation == row.paper.violation ? "" : "  DIFFERS");
    std::fflush(stdout);
    csv_ << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{}\n", table, row.title, row.calls,
                        row.factor, measured.violation, row.paper.violation, measured.serial, row.paper.serial,
                        measured.buggy, measured.histories, row.paper.histories, orders, permutations,
                        row.paper.enumerated, measured.executions, measured.largest_factor, measured.seconds,
                        row.paper.time);
    csv_.flush();
    if (std::string_view(table) == "V") kept_.emplace_back(&row, measured.met);
    if (std::string_view(table) == "III" && std::string_view(row.calls) == "3*4+1")
      timed_.emplace_back(&row, measured.met);
  }

  static std::size_t permutations_of(std::uint32_t size, std::uint32_t factor) {
    round_up::Permutations permutations(size, factor);
    std::size_t count = 1;
    while (permutations.next()) ++count;
    return count;
  }

  /// Section VI-C: without optimisations every execution's history is taken, and everything is explored anew.
  void print_optimisations() {
    fmt::print(
        "\nFigures 8 and 9: permutations and seconds of Algorithms 1 and 2 without and with the optimisations of "
        "VI-C\n");
    fmt::print("{:<25} {:>14} {:>14} {:>12} {:>12}\n", "class", "without", "with", "without [s]", "with [s]");
    for (const auto& [row, met] : kept_) {
      const SpecPtr spec = find_spec(row->spec);
      std::size_t without = 0, with = 0;
      auto start = Clock::now();
      round_up::Reference plain(*spec, {.factor = row->factor, .method = 1});
      for (const Met& each : met) {
        for (std::size_t i = 0; i < each.times; ++i) without += plain.check(each.history).permutations;
      }
      const double plain_seconds = seconds_since(start);
      start = Clock::now();
      round_up::Reference optimised(*spec, {.factor = row->factor, .optimised = true, .method = 1});
      for (const Met& each : met) with += optimised.check(each.history).permutations;
      fmt::print("{:<25} {:>14} {:>14} {:>12.4f} {:>12.4f}\n", row->title, without, with, plain_seconds,
                 seconds_since(start));
      csv_ << fmt::format("8 and 9,{},{},{},,,,,,,,,{}/{},,,,{:.5f}/{:.5f},\n", row->title, row->calls, row->factor,
                          without, with, plain_seconds, seconds_since(start));
    }
  }

  /// The judge against Algorithms 1 and 2 as printed, on the same histories; false if it is not a thousand times as
  /// fast.
  bool print_speed() {
    fmt::print("\nJudge against Algorithms 1 and 2 (one factor over the whole sequence), on the histories of 3*4+1\n");
    bool enough = true;
    for (const auto& [row, met] : timed_) {
      const SpecPtr spec = find_spec(row->spec);
      const QuasiFactors factors = parse_factors(fmt::format("{}", row->factor), *spec);
      std::size_t rounds = 0;
      auto start = Clock::now();
      do {
        for (const Met& each : met) {
          if (!passes(judge_factors(each.history, spec, factors))) fmt::print("a history that does not pass\n");
        }
        ++rounds;
      } while (seconds_since(start) < 0.3);
      const double fast = seconds_since(start) / static_cast<double>(rounds * met.size());
      round_up::Reference reference(*spec, {.factor = row->factor});
      start = Clock::now();
      std::size_t done = 0;
      for (; done < met.size() && seconds_since(start) < 5; ++done) reference.check(met[done].history);
      const double slow = seconds_since(start) / static_cast<double>(std::max<std::size_t>(done, 1));
      fmt::print(
          "factor {}: {} histories; judge {:.2f} us, reference {:.2f} ms a history ({} of them timed): {:.0f} times as "
          "fast\n",
          row->factor, met.size(), fast * 1e6, slow * 1e3, done, slow / fast);
      enough &= slow / fast >= 1000;
    }
    return enough;
  }

  /// Section VI-D, with the smallest test that shows it; its repaired twin passes.
  void print_double_push() const {
    fmt::print("\nThe double push of the k-stack (Algorithm 3): an item comes out twice\n\n");
    std::fflush(stdout);
    for (const char* check : {"k_stack_small", "k_stack_small_repaired"}) {
      const std::string command =
          fmt::format("'{}' {} --no-races --late-yields 0 --folder '{}/failures'", program_, check, folder_);
      if (std::system(command.c_str()) < 0) fmt::print("{} did not run\n", check);
    }
  }

  std::string program_;
  unsigned jobs_;
  std::string csv_path_, folder_;
  std::ofstream csv_;
  std::size_t rows_ = 0, agreeing_ = 0, serial_agreeing_ = 0;
  std::vector<std::pair<const Row*, std::vector<Met>>> kept_, timed_;
};

}  // namespace

int main(int argc, char** argv) {
  unsigned jobs = 2;
  std::string csv = "roundup.csv", program = MUSTER_ROUNDUP_CHECKS;
  CLI::App app{"Tables II, III and V of Round-Up"};
  app.add_option("--jobs,-j", jobs, "Worker processes")->capture_default_str();
  app.add_option("--program", program, "The checks of the structures");
  app.add_option("--csv", csv, "Where the figures go")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return Reproduction(program, jobs, csv).run();
}
