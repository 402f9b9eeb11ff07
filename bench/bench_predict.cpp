// How fast is prediction, from file to report, and does its cost stay linear in the trace and its memory flat?
//
//   bench_predict            the sizes that are promised
//   bench_predict --long     also 10 and 100 million events
//
// Each line gives seconds on the clock and of the processor, processor nanoseconds an event, the ratio to a calibration
// loop that sums the bytes of the same file, and the growth of resident memory beside the mapped file.

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <numeric>

#include "predict/predict.hpp"
#include "trace/mapped_file.hpp"
#include "trace/trace_writer.hpp"
#include "trace_generator.hpp"

namespace {

using namespace muster;
using Clock = std::chrono::steady_clock;

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Touches every byte of the file once: what any reader pays at least.
double calibrate(const std::filesystem::path& path) {
  const double start = processor_seconds();
  const trace::MappedFile file(path);
  std::uint64_t sum = 0;
  for (const std::byte byte : file.bytes()) sum = sum * 3 + static_cast<std::uint64_t>(byte);
  volatile std::uint64_t keep = sum;
  static_cast<void>(keep);
  return processor_seconds() - start;
}

long anonymous_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::strtol(line.c_str() + 8, nullptr, 10);
  return 0;
}

void measure(const char* name, const std::filesystem::path& path) {
  std::fflush(stdout);
  const pid_t child = ::fork();  // each measurement has a heap of its own
  if (child == 0) {
    const double baseline = calibrate(path);
    const long before = anonymous_kilobytes();
    const auto start = Clock::now();
    const double processor_start = processor_seconds();
    const auto reader = trace::open_trace(path);
    const predict::Report report = predict::predict(*reader, {.plans = 20});
    const double seconds = seconds_since(start), processor = processor_seconds() - processor_start;
    const long grown = anonymous_kilobytes() - before;
    fmt::print(
        "{:<44} {:>9} events {:7.3f} s, processor {:7.3f} s {:6.1f} ns/event {:6.2f} x baseline {:4} MB  {} + {} "
        "predicted\n",
        name, report.events, seconds, processor, 1e9 * processor / static_cast<double>(report.events),
        processor / baseline, grown / 1024, report.write_read_write, report.access_write_access);
    std::fflush(stdout);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

void convert(const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto reader = trace::open_trace(from);
  const auto writer = trace::create_binary_trace(to);
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) writer->write(batch, *reader);
  writer->finish();
}

void run(const std::string& name, const bench::TraceShape& shape, bool binary) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("muster-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto text = folder / "trace.std", packed = folder / "trace.bin";
  bench::TraceGenerator(shape, text).run();
  measure((name + ", STD").c_str(), text);
  if (binary) {
    convert(text, packed);
    measure((name + ", binary").c_str(), packed);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
  const bench::TraceShape tsp{.events = 11'000'000};
  const bench::TraceShape elevator{.threads = 5,
                                   .variables = 200,
                                   .locks = 50,
                                   .deepest = 4,
                                   .events = 78'000,
                                   .transaction_events = 285,
                                   .ordered_locks = false};
  run("20 threads, 1,510 variables, 2 locks", tsp, true);
  run("50 locks in any order", elevator, true);
  auto larger = elevator;
  larger.events = 1'000'000;
  run("50 locks in any order", larger, true);
  larger.ordered_locks = true;
  run("50 locks in one order", larger, true);
  auto growing = tsp;
  for (const std::uint64_t events : {1'000'000, 10'000'000, 100'000'000}) {
    if (events > 1'000'000 && !with_long) break;
    growing.events = events;
    run("growing", growing, true);
  }
}
