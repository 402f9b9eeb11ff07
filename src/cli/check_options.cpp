#include "cli/check_options.hpp"

#include <charconv>
#include <thread>

#include "base/error.hpp"
#include "command/duration.hpp"
#include "command/values.hpp"
#include "history/literal.hpp"

namespace muster::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

/// A number with one of these units after it.
double parse_with_unit(std::string_view text, std::span<const Unit> units, std::string_view flag,
                       std::string_view example) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& known : units) {
    if (error == std::errc() && number >= 0 && unit == known.name && number * known.factor < 9e18)
      return number * known.factor;
  }
  fail("{}: `{}` is not an amount such as {}", flag, text, example);
}

}  // namespace

std::size_t parse_size(std::string_view text, std::string_view flag) {
  constexpr Unit units[] = {{"", 1},         {"K", 1 << 10},  {"M", 1 << 20}, {"G", 1 << 30},
                            {"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}};
  return static_cast<std::size_t>(parse_with_unit(text, units, flag, "512M or 8G"));
}

void CheckOptions::add_to(CLI::App& app) {
  app.add_option("files", files, "Histories to judge; - is standard input; gzip and zstd are unpacked")->required();
  app.add_option(
      "--spec", spec,
      "The object: register, cas-register, multi-register, kv, counter, fetch-and-add, swap, queue, bounded-queue, "
      "stack, deque, set, whole-set, bank, map, priority-queue, mutex, rwlock, semaphore; or one whose operations "
      "meet: channel, "
      "counting-channel, timeout-channel, closeable-channel, exchanger, timeout-exchanger, men-and-women, one-family, "
      "two-families, abc, counting-abc, barrier, counting-barrier, terminating-queue");
  app.add_option("--participants", participants, "Threads that meet at a barrier, or share a terminating-queue")
      ->check(whole_number(1));
  app.add_flag("--stuck", stuck,
               "For objects whose operations meet: what is pending never returned, so progress is judged too");
  app.add_option("--model", model, "Your own object: a shared library built against muster/model.hpp");
  app.add_option("--property", property,
                 "linearizable, sequential, quiescent; for registers with one writer also atomic, regular, safe")
      ->check(one_of({"linearizable", "sequential", "quiescent", "atomic", "regular", "safe"}));
  app.add_option(
      "--quasi", quasi,
      "Quasi-linearizable instead: how far operations may be out of order, as dequeue=2, enqueue=0,dequeue=2, or one "
      "number for the removals of a container; also reports the smallest factor that explains the history");
  app.add_option("--format", format,
                 "jsonl, edn, jepsen-json, jepsen-log, intervals, processes, calls, text; recognised if not given");
  app.add_option("--map", map, "Other names: operations (get=read) and fields (key=.k), separated by commas");
  app.add_option("--ties", ties, "At equal times: overlap (the call comes first) or precede (the return does)")
      ->check(one_of({"overlap", "precede"}));
  app.add_option("--failed", failed,
                 "A failed operation: removed, or observed (a failed compare-and-set saw another value)")
      ->check(one_of({"removed", "observed"}));
  app.add_option("--initial", initial, "Initial value of a register or counter, permits of a semaphore");
  app.add_option("--capacity", capacity, "Of a bounded-queue")->check(whole_number(1));
  app.add_option("--first", first, "What a priority queue gives first: smallest or largest")
      ->check(one_of({"smallest", "largest"}));
  app.add_option("--keys", keys,
                 "Whether Jepsen values are pairs [key value]: yes or no; decided by looking if not given")
      ->check(one_of({"yes", "no"}));
  app.add_flag("--no-split", no_split, "Judge all keys as one object");
  app.add_flag("--general", general, "Use the general search alone, not the monitors of particular objects");
  app.add_option("--threads", threads, "For the keys; as many as there are processors if not given")
      ->check(whole_number(0, 1024));
  app.add_option("--time", time,
                 "Limit for the whole run, such as 60s: files, and keys of a file, share what is left of it; then the "
                 "verdict is undecided");
  app.add_option("--memory", memory,
                 "Limit for the whole run, such as 8G (4G if not given); then the verdict is undecided");
  app.add_flag("--explain", explain,
               "For a pass print an order that explains it; for a failure operations that fail by themselves");
  app.add_flag("--all", all, "Judge and print every key; without it judging ends at the first that fails");
  app.add_option("--skew", skew,
                 "How far clocks may differ, such as 5ms; also reports the smallest skew that explains the history");
  app.add_option("--write-core", write_core, "Write operations that fail by themselves to this file, as JSON Lines");
  add_report_flags(app, report_files);
}

ReadOptions CheckOptions::read_options() const {
  ReadOptions options;
  if (!format.empty()) {
    const auto found = find_format(format);
    if (!found)
      fail("--format: there is no format `{}`; there are jsonl, edn, jepsen-log, intervals, processes, calls, text",
           format);
    options.format = *found;
  }
  if (!ties.empty()) options.ties = ties == "overlap" ? Ties::overlap : Ties::precede;
  if (!failed.empty()) options.failed = failed == "removed" ? Failed::removed : Failed::observed;
  if (!keys.empty()) options.keys_in_values = keys == "yes";
  options.names = parse_name_map(map);
  if (meter) options.meter = meter;
  options.until = until;
  return options;
}

JudgeOptions CheckOptions::judge_options() const {
  JudgeOptions options;
  options.meter = meter;
  options.monitors = !general;
  options.split = !no_split;
  options.first_failure = !all;
  options.until = until;
  options.threads = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  if (!time.empty())
    options.time = std::chrono::milliseconds(std::max<std::int64_t>(1, parse_duration(time, "--time") / 1'000'000));
  if (!memory.empty()) options.memory = parse_size(memory, "--memory");
  return options;
}

SpecOptions CheckOptions::spec_options() const {
  SpecOptions options;
  if (!is_closed(initial)) fail("--initial: in {} a bracket or quote is not closed", initial);
  if (!initial.empty()) options.initial = parse_literal(initial);
  if (capacity > 0) options.capacity = capacity;
  if (!first.empty()) options.first = first == "smallest" ? First::smallest : First::largest;
  return options;
}

}  // namespace muster::cli
