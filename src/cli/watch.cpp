#include "cli/watch.hpp"

#include <condition_variable>
#include <csignal>
#include <mutex>

#include "report/progress_line.hpp"

namespace muster::cli {
namespace {

// What Ctrl-C asks to end.
std::atomic<Meter*> watched{nullptr};
static_assert(std::atomic<Meter*>::is_always_lock_free);

void stop_watched(int) {
  std::signal(SIGINT, SIG_DFL);
  if (Meter* meter = watched.load()) meter->stop = true;
}

void show_until_asked(std::stop_token stop, const Meter& meter,
                      const std::function<std::string(const Meter&, double)>& describe) {
  ProgressLine line;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, stop, std::chrono::milliseconds(250), [] { return false; }) && !stop.stop_requested())
    line.show(describe(meter, line.seconds()));
}

}  // namespace

Watch::Watch(Meter& meter, std::function<std::string(const Meter&, double)> describe)
    : shower_(
          [&meter, describe = std::move(describe)](std::stop_token stop) { show_until_asked(stop, meter, describe); }) {
  watched = &meter;
  if (!meter.stop) std::signal(SIGINT, stop_watched);
}

Watch::~Watch() { watched = nullptr; }

}  // namespace muster::cli
