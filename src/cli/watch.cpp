#include "cli/watch.hpp"

#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <fstream>
#include <mutex>

#include "report/progress_line.hpp"

namespace muster::cli {
namespace {

// What Ctrl-C asks to end.
std::atomic<Meter*> meter_under_way{nullptr};
static_assert(std::atomic<Meter*>::is_always_lock_free);

void stop_watched(int) {
  std::signal(SIGINT, SIG_DFL);
  if (Meter* meter = meter_under_way.load()) meter->stop = true;
}

/// Bytes of this process that are in memory; 0 where the system does not tell.
std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  file >> pages >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void show_until_asked(const std::stop_token& stop, Meter& meter,
                      const std::function<std::string(const Meter&, double)>& describe) {
  ProgressLine line;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, stop, std::chrono::milliseconds(250), [] { return false; }) && !stop.stop_requested()) {
    if (meter.most_memory > 0 && resident_memory() > meter.most_memory) meter.out_of_memory = true;
    line.show(describe(meter, line.seconds()));
  }
}

}  // namespace

Watch::Watch(Meter& meter, std::function<std::string(const Meter&, double)> describe)
    : shower_([&meter, describe = std::move(describe)](const std::stop_token& stop) {
        show_until_asked(stop, meter, describe);
      }) {
  meter_under_way = &meter;
  if (!meter.stop) std::signal(SIGINT, stop_watched);
}

Watch::~Watch() { meter_under_way = nullptr; }

}  // namespace muster::cli
