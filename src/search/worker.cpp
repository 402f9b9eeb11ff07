#include "search/worker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace muster {
namespace {

void silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

}  // namespace

Worker::Worker(Journal& journal, RacySites& racy_sites, const RuntimeOptions& options, bool silent, const Work& work)
    : ChildProcess([&](Channel& channel) {
        if (silent) silence();
        Engine engine(options, journal, racy_sites, preferred_context_mode());
        engine.surroundings().set_in_worker();
        if (take_control) take_control(engine);
        work(engine, channel);
      }),
      journal_(journal) {}

bool Worker::hangs(double seconds) {
  const auto now = std::chrono::steady_clock::now();
  const std::uint64_t steps = __atomic_load_n(&journal_.steps, __ATOMIC_RELAXED);
  const std::uint64_t executions = __atomic_load_n(&journal_.executions, __ATOMIC_RELAXED);
  if (steps != last_steps_ || executions != last_executions_ || !journal_.in_execution) {
    last_steps_ = steps;
    last_executions_ = executions;
    last_change_ = now;
    return false;
  }
  return std::chrono::duration<double>(now - last_change_).count() > seconds;
}

ProcessEnd Worker::join() {
  ProcessEnd end = ChildProcess::join();
  if (end.signal == 0 && journal_.in_execution) end.signal = SIGABRT;
  return end;
}

}  // namespace muster
